import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, onRequestHookHandler, preHandlerHookHandler } from 'fastify';
import type { Database } from '../../db/database.ts';
import type { Cookies } from './http.ts';

/**
 * Whoever writes through one process sees the write through every other at once: the response to the write sets a cookie that
 * names the transaction, and a process that has not been told of it yet catches up before it answers. The returned function
 * says whether it has to.
 */
export function showOwnWrites(
  app: FastifyInstance,
  db: Database,
  cookies: Cookies,
): (request: IncomingMessage) => boolean {
  const { marks } = db;
  if (!marks) return () => false;
  const written = new RegExp(`(?:^|; ?)${cookies.fullName('written')}=(\\d{1,15})(?:;|$)`);

  function isBehind({ headers }: IncomingMessage): boolean {
    const mark = headers.cookie === undefined ? undefined : written.exec(headers.cookie)?.[1];
    return mark !== undefined && !marks!.includes(Number(mark));
  }

  const setCookie: preHandlerHookHandler = (_request, reply, done) => {
    const noted = (mark: number): void => {
      cookies.set(reply, 'written', String(mark));
      // A response that Fastify does not send.
      reply.raw.setHeader('set-cookie', cookies.line(reply, 'written', String(mark)));
    };
    marks.during(done, noted);
  };

  const catchUp: onRequestHookHandler = (request, _reply, done) => {
    // Fastify waits for the promise instead of `done`.
    const caughtUp = isBehind(request.raw) ? db.catchUp() : undefined;
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
