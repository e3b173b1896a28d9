import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy between the browser and the server that breaks connections on request. */
export interface NetworkProxy {
  url: string;
  /** Destroys the connections of requests whose URL matches, until called again. */
  refuse(addresses?: RegExp): void;
  /** Breaks responses off after a part of their body if the URL matches, until called again. */
  breakOff(addresses?: RegExp): void;
  /** Forbids all scripts of the pages from now on. */
  blockScripts(): void;
  /** The URLs requested since the previous call. */
  asked(): string[];
  close(): void;
}

/** Headers that describe the server's connection to the proxy. They are not passed on: lynx and w3m speak HTTP/1.0 to the proxy. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);

export async function startNetworkProxy(wallUrl: string): Promise<NetworkProxy> {
  let refused: RegExp | undefined;
  let broken: RegExp | undefined;
  let blocksScripts = false;
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    asked.push(url);
    if (refused?.test(url)) return incoming.socket.destroy();
    const forwarded = request(wallUrl + url, { method, headers }, (response) => {
      // This policy comes in addition to that of the server. Unlike `script-src`, a sandbox also shows the content of <noscript>.
      if (blocksScripts) outgoing.appendHeader('content-security-policy', 'sandbox allow-forms allow-same-origin');
      for (const [name, value] of Object.entries(response.headers)) {
        if (!ofConnection.has(name)) outgoing.appendHeader(name, value!);
      }
      outgoing.writeHead(response.statusCode!);
      if (broken?.test(url)) {
        return response.once('data', (data: Buffer) =>
          outgoing.write(data.subarray(0, data.length / 2), () => incoming.socket.destroy()),
        );
      }
      response.pipe(outgoing);
    });
    forwarded.on('error', () => incoming.socket.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    refuse: (addresses) => (refused = addresses),
    breakOff: (addresses) => (broken = addresses),
    blockScripts: () => void (blocksScripts = true),
    asked: () => asked.splice(0),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
