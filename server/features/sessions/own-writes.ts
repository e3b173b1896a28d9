import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, onRequestHookHandler, preHandlerHookHandler } from 'fastify';
import type { Database } from '../../db/database.ts';
import type { Secrets } from '../../secrets.ts';
import type { Cookies } from './cookies.ts';

/** After this time the process responds although it may not have read the write. */
const patienceMs = 5_000;
const againMs = 50;

/**
 * After a write, a browser sees its effect in every process. The response to the write sets a cookie with the number of the
 * transaction, signed, so that a made-up number makes no process read the storage. A process that has not read the write notice of this
 * transaction reads all write notices before it responds.
 * Returns a function that decides whether a request needs this.
 */
export function showOwnWrites(
  app: FastifyInstance,
  db: Database,
  cookies: Cookies,
  secrets: Pick<Secrets, 'sign' | 'isSignature'>,
): (request: IncomingMessage) => boolean {
  const { writeIds } = db;
  if (!writeIds) return () => false;
  const written = new RegExp(`(?:^|; ?)${cookies.fullName('written')}=(\\d{1,15})\\.([\\w-]{43})(?:;|$)`);

  function isBehind({ headers }: IncomingMessage): boolean {
    const [, writeId, signature] = (headers.cookie !== undefined && written.exec(headers.cookie)) || [];
    if (writeId === undefined || writeIds!.includes(Number(writeId))) return false;
    return secrets.isSignature(signature!, 'write', writeId);
  }

  const setCookie: preHandlerHookHandler = (_request, reply, done) => {
    const noted = (writeId: number): void => {
      const signed = `${writeId}.${secrets.sign('write', String(writeId))}`;
      cookies.set(reply, 'written', signed);
      // Handlers that write to `reply.raw` themselves bypass the headers of Fastify.
      reply.raw.setHeader('set-cookie', cookies.line(reply, 'written', signed));
    };
    writeIds.during(done, noted);
  };

  /** The write is committed, but this process may not reach PostgreSQL for a moment, for example after a failover. */
  async function untilCaughtUp(): Promise<void> {
    const until = performance.now() + patienceMs;
    while (!(await db.catchUp()) && performance.now() < until) await sleep(againMs);
  }

  const catchUp: onRequestHookHandler = (request, _reply, done) => {
    // Fastify waits for the promise instead of `done`.
    const caughtUp = isBehind(request.raw) ? untilCaughtUp() : undefined;
    if (!caughtUp) done();
    return caughtUp;
  };
  app.addHook('onRequest', catchUp);
  app.addHook('onRoute', (route) => {
    const changes = route.method !== 'GET' && route.method !== 'HEAD';
    if (changes && route.config?.access !== undefined) route.preHandler = setCookie;
  });
  return isBehind;
}
