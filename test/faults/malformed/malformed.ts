import type { Conversation, Step } from './raw-http.ts';

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
const closingStatuses = new Set([400, 408, 431]);

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
