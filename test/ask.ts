import http, { type RequestOptions } from 'node:http';
import https from 'node:https';

/** A status; `nothing` where nobody took the request, `half` where its answer broke off. */
export type Answered = number | 'nothing' | 'half';

export interface Asked {
  answered: Answered;
  body: string;
}

/** Refused, or closed before the server took notice of the request. */
const untaken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Sends a request and takes in all of its answer, whatever becomes of it. */
export function ask(url: string, options: RequestOptions = {}, content?: string): Promise<Asked> {
  const { promise, resolve } = Promise.withResolvers<Asked>();
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, options, (response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => (body += chunk));
    response.on('error', () => resolve({ answered: 'half', body }));
    response.on('end', () => resolve({ answered: response.statusCode!, body }));
  });
  sent.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
    resolve({ answered: untaken.has(code) ? 'nothing' : 'half', body: '' }),
  );
  sent.end(content);
  return promise;
}
