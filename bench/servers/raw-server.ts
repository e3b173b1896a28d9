import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { CapturedAnswer } from './captured-answer.ts';

// The measure of all things here: node:http and nothing else, sending what the app would send, from memory, in a circle.
const captured = (await json(process.stdin)) as CapturedAnswer[];
const answers = captured.map(({ type, body }) => ({ type, body: Buffer.from(body, 'base64') }));
let sent = 0;

const server = createServer((_request, response) => {
  const { type, body } = answers[sent++ % answers.length]!;
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
