import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isForKeepers } from '#contract/call.ts';
import type { Database } from '../db/database.ts';
import { isPublic } from '../public-address.ts';
import { version } from '../version.ts';
import { ApiError } from './thrown-api-error.ts';
import { clientNetwork } from './connections.ts';

/** Paths for monitoring, without the limit of reads. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const healthUrl = new RegExp(`^(${[...healthPaths].join('|')})(\\?|$)`);

declare module 'fastify' {
  interface FastifyInstance {
    /** The process is about to stop. It serves requests until proxies stop sending them. */
    isLeaving: boolean;
  }
}

/** `/healthz`: the process runs. `/readyz`: it can serve requests; with a damaged database, those that read no damaged part. */
export function healthRoutes(app: FastifyInstance, db: Database): void {
  app.decorate('isLeaving', false);
  const leaving = (reply: FastifyReply) =>
    reply.code(503).header('cache-control', 'no-store').send({ status: 'leaving' });
  app.get('/healthz', async (_request, reply) => {
    if (app.isLeaving) return leaving(reply);
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });

  let checking: ReturnType<Database['check']> | undefined;
  app.get('/readyz', async ({ raw }, reply) => {
    if (app.isLeaving) return leaving(reply);
    // Concurrent requests share one query.
    const status = await (checking ??= db.check().finally(() => (checking = undefined)));
    // Only this machine is told which build runs.
    const own =
      raw.headers['x-forwarded-for'] === undefined && /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? '');
    return reply.header('cache-control', 'no-store').send({ status, ...(own && { version }) });
  });
}

/** With `requireHostHeader`, Node itself would reject requests without a host, with a response that is not in the contract's form. */
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

/**
 * The address of a request as a path. An address may name a host before the path, as in requests to proxies; it is removed, or a
 * redirect would lead to that host. An address that cannot be decoded is escaped, so that the router responds 404 instead of failing.
 */
export function addressOfRequest(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, '/');
  if (!path.includes('%')) return path;
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}

/** Refuses a NUL in an address, which PostgreSQL cannot store. Schemas refuse it in bodies. */
export function refuseNul({ url }: Pick<FastifyRequest, 'url'>): void {
  if (!url.includes('%00')) return;
  throw new ApiError(url.split('?', 1)[0]!.includes('%00') ? 'NOT_FOUND' : 'INVALID_REQUEST');
}

/** A path of Fastify as a pattern: `:id` is one segment, `:name(^(a|b)$)` one of these values. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url.replaceAll('.', '\\.').replaceAll(/:\w+(?:\(\^(\(.+?\))\$\))?/g, (_, values?: string) => values ?? '[^/]+')}$`,
  );

/**
 * Refuses a request whose path has routes for other methods, before its body is read. Must be called before the routes are
 * registered. The paths of keepers' calls get 404 instead, because they are hidden from everybody else.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.access !== undefined && isForKeepers(config.access)) return;
    const known = methods.get(url) ?? new Set();
    methods.set(url, known);
    for (const each of [method].flat()) known.add(each);
  });

  let patterns: (readonly [RegExp, Set<string>])[] | undefined;
  app.addHook('onRequest', ({ is404, method, url }, reply, done) => {
    if (is404) {
      patterns ??= [...methods].map(([path, known]) => [patternOf(path), known]);
      const path = url.split('?', 1)[0]!;
      const known = patterns.flatMap(([pattern, of]) => (pattern.test(path) ? [...of] : []));
      if (known.length > 0 && !known.includes(method)) {
        void reply.header('allow', known.toSorted().join(', '));
        throw new ApiError('METHOD_NOT_ALLOWED');
      }
    }
    done();
  });
}

const windowMs = 60_000;

/** Counts reads of a client, one by default. Returns the seconds to wait; 0 if the client is within its limit. */
type CountReads = (client: string, reads?: number) => number;

/** Counts by client in windows of a minute, in this process only: accurate enough for reads, and without a query. */
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

/** Limits reads by network. Returns the function that counts reads of an address, for requests that bypass the hooks. */
export function limitReads(app: FastifyInstance, perMinute: number): CountReads {
  const limit = readLimit(perMinute);
  const secondsToWait: CountReads = (ip, reads) => limit(clientNetwork(ip), reads);
  app.addHook('onRequest', (request, _reply, done) => {
    // The route of each request would be slow to read.
    const retryAfter = healthUrl.test(request.url) ? 0 : secondsToWait(request.ip);
    if (retryAfter > 0) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter, limit: 'reads' });
    done();
  });
  return secondsToWait;
}

/** After this many requests from one address it is assumed that all requests come from there. */
const requestsToJudge = 200;

/** Warns once when all requests since the start have come from one private address, which is a proxy missing in the settings. */
export function warnOfOneAddress({ server }: FastifyInstance, log: FastifyBaseLogger): void {
  let first: string | undefined;
  let seen = 0;
  const look = ({ socket: { remoteAddress = '' }, url = '' }: IncomingMessage): void => {
    if (healthPaths.has(url)) return;
    first ??= remoteAddress;
    seen += 1;
    if (remoteAddress === first && isIP(first) !== 0 && !isPublic(first) && seen < requestsToJudge) return;
    server.off('request', look);
    if (seen < requestsToJudge) return;
    log.warn(`all requests come from ${first}: if that is a reverse proxy, set TRUST_PROXY=${first}`);
  };
  server.on('request', look);
}

/** Accepts requests that name JSON as their type but have no body. */
export function allowEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null) : void parse(request, body as string, done),
  );
}
