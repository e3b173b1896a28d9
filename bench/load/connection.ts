import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';

const bufferBytes = 64 * 1024;

/** There is nothing to ask just now. */
export const later = Symbol('later');

/**
 * What a connection asks next; undefined ends it. After `later` it asks again when `wake` is called.
 */
export type NextRequest = (wake: () => void) => Buffer | typeof later | undefined;

/**
 * One keep-alive connection that asks, waits for the whole answer and asks again, with as little work of its own as Node
 * allows.
 */
export function converse(port: number, next: NextRequest): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const reader = new ResponseReader();
  let asked: Buffer | undefined;

  const ask = (): void => {
    const request = next(ask);
    if (request === later) return;
    asked = request;
    if (asked) {
      socket.write(asked);
    } else {
      resolve();
      socket.destroy();
    }
  };
  const take = (bytes: number, buffer: Uint8Array): boolean => {
    try {
      if (!reader.read((buffer as Buffer).subarray(0, bytes))) return true;
      if (Math.trunc(reader.status / 100) !== 2)
        throw new Error(`${String(asked).split('\r\n', 1)[0]} answered ${reader.status}`);
      ask();
    } catch (error) {
      socket.destroy(error as Error);
    }
    return true;
  };

  const socket: Socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafeSlow(bufferBytes), callback: take },
  });
  socket.on('connect', ask);
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('The server closed a connection')));
  return promise;
}
