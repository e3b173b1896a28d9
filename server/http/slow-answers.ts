import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { currentWaits, runFor, type Waits } from '../waits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The times that the request has waited, by cause. */
    waits: Waits | undefined;
  }
}

const slowMs = 1_000;
const pauseMs = 1_000;

/** Event streams stay open, so this call is not watched. */
export const eventsUrl = `${apiPrefix}/events`;

/** Must be called when the answer to a request begins. */
export type NoteAnswer = (request: FastifyRequest, status: number) => void;

/**
 * Logs answers that began more than a second after their request, with the causes, at most one answer a second. Returns the
 * function to call when an answer begins. Responses of the fast path are not watched.
 */
export function logSlowAnswers(app: FastifyInstance, log: FastifyBaseLogger): NoteAnswer {
  let nextAt = 0;
  let unlogged = 0;

  const noteAnswer: NoteAnswer = (request, status) => {
    const { waits } = request;
    if (!waits) return;
    request.waits = undefined;
    const now = performance.now();
    const ms = now - waits.began;
    if (ms <= slowMs) return;
    if (now < nextAt) {
      unlogged += 1;
      return;
    }
    nextAt = now + pauseMs;
    const { began: _, ...kinds } = waits;
    const waitedMs = Object.fromEntries(Object.entries(kinds).map(([kind, each]) => [kind, Math.round(each)]));
    const route = `${request.method} ${request.routeOptions.url ?? 'none'}`;
    log.warn({ route, status, ms: Math.round(ms), waitedMs, unlogged }, 'slow answer');
    unlogged = 0;
  };

  app.decorateRequest('waits', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    // The calls that a page makes count as waits of the page. The route of each request would be slow to read.
    if (currentWaits() || request.url.startsWith(eventsUrl)) {
      done();
      return;
    }
    request.waits = { began: performance.now(), storage: 0, pool: 0, turn: 0, sameResponse: 0 };
    runFor(request.waits, done);
  });
  return noteAnswer;
}
