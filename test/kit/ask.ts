import http, { type RequestOptions } from 'node:http';
import https from 'node:https';

/** The status of the response; `nothing` if no server accepted the request, `half` if the response was cut off. */
export type Outcome = number | 'nothing' | 'half';

export interface AskResult {
  outcome: Outcome;
  body: string;
}

/** The codes of errors for a connection that was refused, or closed before the server read the request. */
const notAcceptedCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Sends a request and reads the whole response; does not reject. */
export function ask(url: string, options: RequestOptions = {}, content?: string): Promise<AskResult> {
  const { promise, resolve } = Promise.withResolvers<AskResult>();
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, options, (response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => (body += chunk));
    response.on('error', () => resolve({ outcome: 'half', body }));
    response.on('end', () => resolve({ outcome: response.statusCode!, body }));
  });
  sent.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
    resolve({ outcome: notAcceptedCodes.has(code) ? 'nothing' : 'half', body: '' }),
  );
  sent.end(content);
  return promise;
}
