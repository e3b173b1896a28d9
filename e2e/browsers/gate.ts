import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a wall and breaks connections to order: a network that one can switch off. */
export interface Gate {
  url: string;
  /** Requests whose address fits are broken off, until another pattern or none is given. */
  refuse(addresses?: RegExp): void;
  /** Every address asked for since the last time. */
  asked(): string[];
  close(): void;
}

export async function openGate(wallUrl: string): Promise<Gate> {
  let refused: RegExp | undefined;
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    asked.push(url);
    if (refused?.test(url)) return incoming.socket.destroy();
    const onward = request(wallUrl + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => incoming.socket.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    refuse: (addresses) => (refused = addresses),
    asked: () => asked.splice(0),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
