import type { Line } from '../kit/raw-http.ts';

/** Something said on a connection that is not as it should be. */
export interface Malformed {
  name: string;
  lines: readonly Line[];
  /** How many requests may be seen in it at most; else one. */
  requests?: number;
  /** It hides a request for the canary, which nobody may answer. */
  hides?: true;
  /** To nginx, which ends lines with LF alone too, the hidden request is one of its own. */
  openToNginx?: true;
  /** What is said next still belongs to it. */
  swallows?: true;
}

export const canary = 'canary_person';

/** What is hidden: it comes after something that may or may not end before it. */
export const hidden = `GET /api/v1/users/${canary} HTTP/1.1\r\nHost: wall\r\n\r\n`;
export const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: wall\r\n${headers}\r\n`;
export const post = (headers: string, body: string): string =>
  `POST /api/v1/posts HTTP/1.1\r\nHost: wall\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

/** A body that ends at once to whoever goes by its chunks. */
export const hidingBody = `0\r\n\r\n${hidden}`;
