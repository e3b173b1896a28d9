import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';

const bufferBytes = 64 * 1024;

/** No request is due now. */
export const later = Symbol('later');

/** Returns the next request of a connection; undefined closes it. After `later` the connection waits for `wake`. */
export type NextRequest = (wake: () => void) => Buffer | typeof later | undefined;

/**
 * A keep-alive connection that sends one request at a time and does as little work of its own as Node allows. Responses that
 * are not a success end it with an error; `refused` is a status that is expected as well.
 */
export function converse(port: number, next: NextRequest, refused?: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const reader = new ResponseReader();
  let request: Buffer | undefined;

  const send = (): void => {
    const chosen = next(send);
    if (chosen === later) return;
    request = chosen;
    if (request) {
      socket.write(request);
    } else {
      resolve();
      socket.destroy();
    }
  };
  const receive = (bytes: number, buffer: Uint8Array): boolean => {
    try {
      if (!reader.read((buffer as Buffer).subarray(0, bytes))) return true;
      if (Math.trunc(reader.status / 100) !== 2 && reader.status !== refused)
        throw new Error(`${String(request).split('\r\n', 1)[0]} returned ${reader.status}`);
      send();
    } catch (error) {
      socket.destroy(error as Error);
    }
    return true;
  };

  const socket: Socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafeSlow(bufferBytes), callback: receive },
  });
  socket.on('connect', send);
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('The server closed a connection')));
  return promise;
}
