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

/** What the server says about its connection to the proxy. Lynx and w3m speak HTTP/1.0 and have another one. */
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
      // Browsers obey each of several policies. Other than with `script-src`, the content of <noscript> is shown.
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
