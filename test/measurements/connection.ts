import { connect, type Socket } from 'node:net';

const bufferBytes = 64 * 1024;

/** No request is due now. */
export const later = Symbol('later');

/** Returns the next request of a connection; undefined closes it. After `later` the connection waits for `wake`. */
export type NextRequest = (wake: () => void) => Buffer | typeof later | undefined;

/**
 * A keep-alive connection that sends one request at a time and does as little work of its own as Node allows. Responses that
 * are not a success end it with an error.
 */
export function converse(port: number, next: NextRequest): Promise<void> {
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
      if (Math.trunc(reader.status / 100) !== 2)
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

const headEnd = '\r\n\r\n';
const maxHeadLength = 2_048;

/** Finds the ends of the responses on one keep-alive connection, however their bytes are split into chunks. No pipelining. */
export class ResponseReader {
  status = 0;
  #head = '';
  #bodyLeft = 0;

  /** Reads the next bytes; true when they complete the response. */
  read(chunk: Buffer): boolean {
    return this.#bodyLeft > 0 ? this.#readBody(chunk.length) : this.#readHead(chunk);
  }

  #readHead(chunk: Buffer): boolean {
    const before = this.#head.length;
    const text = this.#head + chunk.toString('latin1', 0, maxHeadLength);
    // The end of the head may itself be split.
    const end = text.indexOf(headEnd, Math.max(0, before - headEnd.length));
    if (end < 0) {
      if (text.length >= maxHeadLength) throw new Error('The head of a response does not end');
      this.#head = text;
      return false;
    }
    const head = text.slice(0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`A response without content-length: ${head}`);
    this.status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    this.#head = '';
    this.#bodyLeft = Number(length);
    return this.#readBody(before + chunk.length - end - headEnd.length);
  }

  #readBody(bytes: number): boolean {
    this.#bodyLeft -= bytes;
    if (this.#bodyLeft < 0) throw new Error('More bytes than the response has');
    return this.#bodyLeft === 0;
  }
}
