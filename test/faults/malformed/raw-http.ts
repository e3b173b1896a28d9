import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Response {
  status: number;
  head: string;
  body: string;
}

/** The bytes received on a connection. */
export interface Conversation {
  /** In order. */
  responses: Response[];
  /** Bytes before the first response. */
  noise: string;
  /** Whether the other side closed the connection. */
  ended: boolean;
}

/** Waits for the first bytes of a response. */
export const untilResponse = { untilResponse: true } as const;

/** Bytes to send on a connection, a pause, or the way to close it. */
export type Step =
  | string
  | Buffer
  | { afterMs: number }
  | { untilQuietMs: number }
  | typeof untilResponse
  | { endBy: 'half-close' | 'reset' };

const checkEveryMs = 20;

/** Sends the steps on a new connection and reads until the other side closes it or is silent for `quietMs`. */
export async function converse(port: number, steps: readonly Step[], quietMs: number): Promise<Conversation> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let receivedAt = performance.now();
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    receivedAt = performance.now();
  });
  // An error destroys the socket, which is checked below.
  socket.on('error', () => {});
  const hasEnded = (): boolean => socket.readableEnded || socket.destroyed;
  const quiet = async (ms: number): Promise<void> => {
    while (!hasEnded() && performance.now() - receivedAt < ms) await sleep(checkEveryMs);
  };
  await once(socket, 'connect');
  for (const step of steps) {
    if (hasEnded()) break;
    receivedAt = performance.now();
    if (typeof step === 'string') socket.write(step, 'latin1');
    else if (Buffer.isBuffer(step)) socket.write(step);
    else if ('afterMs' in step) await sleep(step.afterMs);
    else if ('untilQuietMs' in step) await quiet(step.untilQuietMs);
    else if ('untilResponse' in step) while (!hasEnded() && chunks.length === 0) await sleep(checkEveryMs);
    else if (step.endBy === 'reset') socket.resetAndDestroy();
    else socket.end();
  }
  receivedAt = performance.now();
  await quiet(quietMs);
  const ended = hasEnded();
  socket.destroy();
  return { ...readResponses(Buffer.concat(chunks).toString('latin1')), ended };
}

function readResponses(text: string): Pick<Conversation, 'responses' | 'noise'> {
  const [noise = '', ...rest] = text.split(/(?=HTTP\/1\.[01] \d{3})/);
  const all = noise.startsWith('HTTP/') ? [noise, ...rest] : rest;
  return {
    responses: all.map((response) => {
      const [head = '', ...body] = response.split('\r\n\r\n');
      return { status: Number(head.slice(9, 12)), head, body: Buffer.from(body.join('\r\n\r\n'), 'latin1').toString() };
    }),
    noise: noise.startsWith('HTTP/') ? '' : noise,
  };
}
