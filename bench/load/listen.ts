import { connect, type Socket } from 'node:net';

/** Opens an event stream as a page does; resolves when its first event has come. */
export function listen(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write('GET /api/v1/events HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n');
    socket.once('data', () => resolve(socket)).once('error', reject);
  });
}
