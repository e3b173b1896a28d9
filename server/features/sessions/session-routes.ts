import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../http/thrown-api-error.ts';
import { refuseBlocked, sessionCallerOf, type SessionOptions } from './session-http.ts';
import { idOf, serve } from '../../http/serve.ts';
import { cookieHash, issueToken, lifetimeSeconds } from './session-rules.ts';
import {
  closeOtherSessionsOf,
  closeSessionOf,
  findSessionByCookie,
  listSessionsOf,
  renewSession,
} from './session-store.ts';

export function sessionRoutes(
  app: FastifyInstance,
  { db, config, secrets, cookies, security, now }: SessionOptions,
): void {
  serve(app, 'PATCH /sessions/current', async ({ body, request, reply }) => {
    const cookie = cookies.read(request, 'session');
    const session = await openSessionOf(request);
    if (session) refuseBlocked(session, now());
    const renewed = session && (await db.tx((tx) => renewSession(tx, session.id, body.clientToken, now())));
    // The cookie is not cleared, because a sign-in in another tab may have set a new one meanwhile.
    if (!cookie || !renewed) throw new ApiError('UNAUTHORIZED');
    // The browser keeps the cookie for another 90 days.
    cookies.set(reply, 'session', cookie);
    const expiresAt = Math.min(now() + config.accessTokenSeconds, session.created_at + lifetimeSeconds);
    return { accessToken: issueToken(secrets, session.id, expiresAt) };
  });

  serve(app, 'GET /sessions', async ({ request }) => {
    const { userId, sessionId } = sessionCallerOf(request);
    const rows = await listSessionsOf(db.read, userId, now());
    const listed = rows.map((row) => ({
      id: String(row.id),
      current: row.id === sessionId,
      createdAt: row.created_at,
      lastActiveAt: row.last_active_at,
      device: JSON.parse(row.device),
    }));
    return { sessions: listed.toSorted((a, b) => Number(b.current) - Number(a.current)) };
  });

  serve(app, 'DELETE /sessions/{id}', async ({ params, request }) => {
    const { userId, sessionId } = sessionCallerOf(request);
    const id = idOf(params);
    if (id === sessionId) throw new ApiError('FORBIDDEN');
    if (!(await db.tx((tx) => closeSessionOf(tx, userId, id)))) throw new ApiError('NOT_FOUND');
    security.note('sessions-closed', request, { user: userId });
  });

  serve(app, 'DELETE /sessions', async ({ request }) => {
    const { userId, sessionId } = sessionCallerOf(request);
    await db.tx((tx) => closeOtherSessionsOf(tx, userId, sessionId));
    security.note('sessions-closed', request, { user: userId });
  });

  serve(app, 'DELETE /sessions/current', async ({ request, reply }) => {
    const session = await openSessionOf(request);
    if (session) {
      await db.tx((tx) => closeSessionOf(tx, session.user_id, session.id));
      security.note('sessions-closed', request, { user: session.user_id });
    }
    // `form` and `sign-in` hold what was typed, which the next person at this browser must not see.
    for (const name of ['session', 'form', 'sign-in'] as const) cookies.clear(reply, name);
  });

  async function openSessionOf(request: FastifyRequest) {
    const cookie = cookies.read(request, 'session');
    return cookie === undefined ? undefined : findSessionByCookie(db.read, cookieHash(cookie), now());
  }
}
