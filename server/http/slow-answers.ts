import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { apiPrefix } from '#contract/endpoint.ts';
import { currentWaits, runFor, type Waits } from '../waits.ts';

const slowMs = 1_000;
const pauseMs = 1_000;

/** Its streams stay open until the subscriber disconnects. */
export const eventsUrl = `${apiPrefix}/events`;

/**
 * Logs answers that began more than a second after their request, at most one a second, and what they waited for. The responses of
 * the fast path are not watched.
 */
export function logSlowAnswers(app: FastifyInstance, log: FastifyBaseLogger): void {
  let nextAt = 0;
  let unlogged = 0;

  const note = (route: string, status: number, ms: number, waits: Waits): void => {
    if (performance.now() < nextAt) {
      unlogged += 1;
      return;
    }
    nextAt = performance.now() + pauseMs;
    const waitedMs = Object.fromEntries(Object.entries(waits).map(([kind, each]) => [kind, Math.round(each)]));
    log.warn({ route, status, ms: Math.round(ms), waitedMs, unlogged }, 'slow answer');
    unlogged = 0;
  };

  app.addHook('onRequest', ({ method, routeOptions }, { raw }, done) => {
    // The calls that a page makes count as waits of the page.
    if (currentWaits() || routeOptions.url === eventsUrl) {
      done();
      return;
    }
    const waits: Waits = { storage: 0, pool: 0, turn: 0, sameResponse: 0 };
    const began = performance.now();
    let hasEnded = false;
    const end = (): void => {
      const ms = performance.now() - began;
      // A client that no longer waits gets no response.
      if (!hasEnded && ms > slowMs)
        note(`${method} ${routeOptions.url ?? 'none'}`, raw.headersSent ? raw.statusCode : 0, ms, waits);
      hasEnded = true;
    };
    // Before the client, which may be slow itself, has received it.
    raw.once('prefinish', end);
    raw.once('close', end);
    runFor(waits, done);
  });
}
