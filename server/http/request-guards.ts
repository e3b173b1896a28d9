import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { clientNetwork } from './client-network.ts';

/** With `requireHostHeader`, Node itself would reject requests without a host, not in the contract's form. */
export const nodeOptions = { requireHostHeader: false, joinDuplicateHeaders: true };

/** Whether the request names its host exactly once. Node joins duplicate headers with commas. */
export const hasOneHost = ({ host }: IncomingHttpHeaders): boolean => host !== undefined && !host.includes(',');

/** Handles requests that Node would reject with a bare status. */
export function handleNodeRefusals(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const mayLackHost = raw.httpVersion === '1.0' && raw.headers.host === undefined;
    if (!hasOneHost(raw.headers) && !mayLackHost) throw new ApiError('INVALID_REQUEST');
    done();
  });
  // A request with an unknown Expect header gets the same response as one without.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

/** Escapes an address that cannot be decoded, so that the router finds no route for it instead of failing. */
export function decodable(url: string): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}

/** Refuses a NUL in an address, which PostgreSQL cannot store. Schemas refuse it in bodies. */
export function refuseNul({ url }: Pick<FastifyRequest, 'url'>): void {
  if (!url.includes('%00')) return;
  throw new ApiError(url.split('?', 1)[0]!.includes('%00') ? 'NOT_FOUND' : 'INVALID_REQUEST');
}

const windowMs = 60_000;

/** Counts reads of a client, one by default, and gives the seconds to wait when it is over its limit, else 0. */
type CountReads = (client: string, reads?: number) => number;

/** Counts by client in windows of a minute, in this process only: accurate enough for reads, and free. */
export function readLimit(perMinute: number): CountReads {
  let counts = new Map<string, number>();
  let windowEnds = 0;

  return (client, reads = 1) => {
    const now = performance.now();
    if (now >= windowEnds) {
      counts = new Map();
      windowEnds = now + windowMs;
    }
    const count = (counts.get(client) ?? 0) + reads;
    counts.set(client, count);
    return count > perMinute ? Math.ceil((windowEnds - now) / 1_000) : 0;
  };
}

/** Limits reads by network. Returns the limit, which takes an address, for requests that no hook sees. */
export function limitReads(app: FastifyInstance, perMinute: number): CountReads {
  const limit = readLimit(perMinute);
  const secondsToWait: CountReads = (ip, reads) => limit(clientNetwork(ip), reads);
  app.addHook('onRequest', (request, _reply, done) => {
    const retryAfter = secondsToWait(request.ip);
    if (retryAfter > 0) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter, limit: 'reads' });
    done();
  });
  return secondsToWait;
}
