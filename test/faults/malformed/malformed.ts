import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Something sent on a connection that is not valid HTTP or means two things at once. */
export interface Malformed {
  name: string;
  steps: readonly Step[];
  /** Largest number of requests that it may be taken for; one if absent. */
  requests?: number;
  /** It hides a request for the canary, to which there must be no response. */
  hides?: true;
  /** nginx sees the hidden request too, because it accepts LF alone at the end of a line. */
  visibleToNginx?: true;
  /** The next request on the connection still belongs to it. */
  swallows?: true;
}

export const canary = 'canary_person';

/** The hidden request. It follows something that may or may not end before it. */
export const hidden = `GET /api/v1/users/${canary} HTTP/1.1\r\nHost: wall\r\n\r\n`;
export const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: wall\r\n${headers}\r\n`;
export const post = (headers: string, body: string): string =>
  `POST /api/v1/posts HTTP/1.1\r\nHost: wall\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

/** A body that ends at once for a server that reads it in chunks. */
export const hidingBody = `0\r\n\r\n${hidden}`;

export type Way = 'directly' | 'through nginx';

/** The next request on the same connection. */
export const nextRequest = 'GET /api/v1/reports/reasons HTTP/1.1\r\nHost: wall\r\nConnection: close\r\n\r\n';
const nextBody = '{"reasons":';
/** Statuses that nginx itself sends for requests that it does not support. */
const nginxStatuses = new Set([501, 505]);
/** Statuses that may be sent before a connection is closed. */
const closingStatuses = new Set([308, 400, 408, 431]);

export const nextSucceeded = ({ responses }: Conversation): boolean =>
  responses.at(-1)?.body.startsWith(nextBody) === true;

/** The errors of the responses, in words. `waited` says that the deadline for unfinished requests has passed. */
export function faultOf(
  { requests = 1, hides, visibleToNginx, swallows }: Malformed,
  conversation: Conversation,
  { way, waited }: { way: Way; waited: boolean },
): string | undefined {
  const { responses, noise, ended } = conversation;
  const byNginx = way === 'through nginx';
  const statuses = responses.map(({ status }) => status).join(', ');
  // Only nginx supports HTTP/0.9, whose responses have no head.
  if (noise !== '' && !(byNginx && responses.length === 0))
    return `noise before the first response: ${JSON.stringify(noise)}`;
  const broken = responses.find(({ status }) => status >= 500 && !(byNginx && nginxStatuses.has(status)));
  if (broken) return `returned ${broken.status}`;
  const isHidden = hides && !(byNginx && visibleToNginx);
  if (isHidden && responses.some(({ body }) => body.includes(canary))) return 'responded to the hidden request';
  if (!ended && (waited || !swallows)) return `left open after ${statuses}`;
  const own = nextSucceeded(conversation) ? responses.slice(0, -1) : responses;
  if (own.some(({ body }) => body.startsWith(nextBody))) return `the next response is not the last one: ${statuses}`;
  const most = requests + (ended && closingStatuses.has(own.at(-1)?.status ?? 0) ? 1 : 0);
  if (own.length > most && !visibleToNginx) return `${own.length} responses: ${statuses}`;
  const unformatted = own.find(({ status, body }) => status >= 400 && !hasFormat(body));
  return unformatted && !byNginx ? `an error in another format: ${JSON.stringify(unformatted)}` : undefined;
}

const hasFormat = (body: string): boolean => /^(\{"code":"[A-Z_]+","message":"[^"]+"\}|<!doctype html>.*)$/s.test(body);

/** The bytes received on a connection. */
export interface Conversation {
  /** In order. */
  responses: Array<{ status: number; body: string }>;
  /** Bytes before the first response. */
  noise: string;
  /** Whether the other side closed the connection. */
  ended: boolean;
}

/** Waits for the first bytes of a response. */
export const untilResponse = { untilResponse: true } as const;

/** Bytes to send on a connection, a pause, or the way to close it. */
type Step =
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
      return { status: Number(head.slice(9, 12)), body: Buffer.from(body.join('\r\n\r\n'), 'latin1').toString() };
    }),
    noise: noise.startsWith('HTTP/') ? '' : noise,
  };
}
