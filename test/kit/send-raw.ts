import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Sends bytes to a listening app on a new connection. Resolves to everything received until the server closes the connection. */
export async function sendRaw({ server }: FastifyInstance, bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('utf8');
  let received = '';
  socket.on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}
