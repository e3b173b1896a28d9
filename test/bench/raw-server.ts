import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A response of the app: its content type and its body in base64. */
export type Captured = [type: string, body: string];

// The reference of all ratios: node:http alone, which sends captured responses from memory in a cycle.
const captured = (await json(process.stdin)) as Captured[];
const responses = captured.map(([type, body]) => ({ type, body: Buffer.from(body, 'base64') }));
let sent = 0;

const server = createServer((_request, response) => {
  const { type, body } = responses[sent++ % responses.length]!;
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
