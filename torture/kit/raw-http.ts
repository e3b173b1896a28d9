import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Told {
  status: number;
  head: string;
  body: string;
}

/** What a connection has brought. */
export interface Conversation {
  /** All answers, in order. */
  answers: Told[];
  /** Bytes before the first answer: nothing but answers may come. */
  noise: string;
  /** Whether the other side ended it. */
  ended: boolean;
}

/** What is said on a connection, byte by byte, and when. */
export type Line = string | Buffer | { afterMs: number } | { untilQuietMs: number } | { endBy: 'half-close' | 'reset' };

const lookEveryMs = 20;

/** Says it all on a connection of its own and listens until the other side ends it or says no more for so long. */
export async function converse(port: number, lines: readonly Line[], quietMs: number): Promise<Conversation> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let heardAt = performance.now();
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    heardAt = performance.now();
  });
  // It is destroyed then.
  socket.on('error', () => {});
  const hasEnded = (): boolean => socket.readableEnded || socket.destroyed;
  const quiet = async (ms: number): Promise<void> => {
    while (!hasEnded() && performance.now() - heardAt < ms) await sleep(lookEveryMs);
  };
  await once(socket, 'connect');
  for (const line of lines) {
    if (hasEnded()) break;
    heardAt = performance.now();
    if (typeof line === 'string') socket.write(line, 'latin1');
    else if (Buffer.isBuffer(line)) socket.write(line);
    else if ('afterMs' in line) await sleep(line.afterMs);
    else if ('untilQuietMs' in line) await quiet(line.untilQuietMs);
    else if (line.endBy === 'reset') socket.resetAndDestroy();
    else socket.end();
  }
  heardAt = performance.now();
  await quiet(quietMs);
  const ended = hasEnded();
  socket.destroy();
  return { ...readAnswers(Buffer.concat(chunks).toString('latin1')), ended };
}

function readAnswers(text: string): Pick<Conversation, 'answers' | 'noise'> {
  const [noise = '', ...rest] = text.split(/(?=HTTP\/1\.[01] \d{3})/);
  const all = noise.startsWith('HTTP/') ? [noise, ...rest] : rest;
  return {
    answers: all.map((answer) => {
      const [head = '', ...body] = answer.split('\r\n\r\n');
      return { status: Number(head.slice(9, 12)), head, body: Buffer.from(body.join('\r\n\r\n'), 'latin1').toString() };
    }),
    noise: noise.startsWith('HTTP/') ? '' : noise,
  };
}
