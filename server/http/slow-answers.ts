import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { currentWaits, runFor, type Waits } from '../waits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request waits for until it has its answer. */
    waits: Waits | undefined;
  }
}

const slowMs = 1_000;
const pauseMs = 1_000;

/** Its streams stay open until the subscriber disconnects. */
export const eventsUrl = `${apiPrefix}/events`;

/** To be called when the answer to a request begins. */
export type NoteAnswer = (request: FastifyRequest, status: number) => void;

/**
 * Logs answers that began more than a second after their request, at most one a second, and what they waited for. Returns what has to
 * be called with answers that bypass Fastify's reply. The responses of the fast path are not watched.
 */
export function logSlowAnswers(app: FastifyInstance, log: FastifyBaseLogger): NoteAnswer {
  let nextAt = 0;
  let unlogged = 0;

  const noteAnswer: NoteAnswer = (request, status) => {
    const { waits, method, routeOptions } = request;
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
    const route = `${method} ${routeOptions.url ?? 'none'}`;
    log.warn({ route, status, ms: Math.round(ms), waitedMs, unlogged }, 'slow answer');
    unlogged = 0;
  };

  app.decorateRequest('waits', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    // The calls that a page makes count as waits of the page.
    if (currentWaits() || request.routeOptions.url === eventsUrl) {
      done();
      return;
    }
    request.waits = { began: performance.now(), storage: 0, pool: 0, turn: 0, sameResponse: 0 };
    runFor(request.waits, done);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    noteAnswer(request, reply.statusCode);
    done();
  });
  return noteAnswer;
}
