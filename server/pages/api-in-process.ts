import type { FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { type CurrentUser, getCurrentUser } from '#contract/account.ts';
import { apiPrefix, type Endpoint } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { Database } from '../db/database.ts';
import { logFailure } from '../db/write-outage.ts';
import type { Cookies } from '../features/sessions/cookies.ts';
import { refuseBlocked } from '../features/sessions/http.ts';
import { cookieHash, issueToken } from '../features/sessions/rules.ts';
import { findSessionByCookie, renewSession } from '../features/sessions/store.ts';
import { ApiError } from '../http/api-error.ts';
import type { Secrets } from '../secrets.ts';

/** A signed-in person's access to the API in this process. */
export interface Person {
  user: CurrentUser;
  authorization: string;
}

interface PersonOptions {
  db: Database;
  secrets: Secrets;
  cookies: Cookies;
  /** Unix seconds. */
  now: () => number;
}

/** The token is for the calls of one request. */
const tokenSeconds = 60;
/** A session in use is renewed this often. Each renewal writes to the database. */
const renewalSeconds = 24 * 3_600;

/** Sends a request to the API in this process for the client of another request, with all checks and limits. */
export function inject({ server: app, socket, headers }: FastifyRequest, options: InjectOptions) {
  const { host, cookie, 'user-agent': agent, 'x-forwarded-for': forwarded } = headers;
  const own = { host, cookie, 'user-agent': agent, 'x-forwarded-for': forwarded, 'sec-fetch-site': 'same-origin' };
  const given = Object.entries({ ...own, ...options.headers }).filter(([, value]) => value !== undefined);
  return app.inject({
    ...options,
    remoteAddress: socket.remoteAddress ?? '',
    headers: Object.fromEntries(given),
  });
}

export const requestFor = ({ method, path }: Endpoint): InjectOptions => ({ method, url: apiPrefix + path });

/** The person with the session of the cookie; undefined for a visitor. Throws when the account is blocked. */
export async function findPerson(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, secrets, cookies, now }: PersonOptions,
): Promise<Person | undefined> {
  const cookie = cookies.read(request, 'session');
  const session = cookie === undefined ? undefined : await findSessionByCookie(db.read, cookieHash(cookie), now());
  if (cookie === undefined || !session) return undefined;
  refuseBlocked(session, now());
  if (now() - session.last_active_at >= renewalSeconds) {
    // A full disk must not stop people from reading.
    await db
      .tx((tx) => renewSession(tx, session.id, session.client_token, now()))
      .catch((error: unknown) => {
        logFailure({ log: request.log, db }, { err: error }, 'the use of a session was not recorded');
      });
    cookies.set(reply, 'session', cookie);
  }
  const authorization = `Bearer ${issueToken(secrets, session.id, now() + tokenSeconds).token}`;
  const found = await inject(request, { ...requestFor(getCurrentUser), headers: { authorization } });
  if (found.statusCode === 200) return { user: found.json<CurrentUser>(), authorization };
  const { code, message } = found.json<ErrorBody>();
  // It was closed meanwhile.
  if (code === 'UNAUTHORIZED') return undefined;
  throw new ApiError(code, { message });
}

/** `fetch` for the calls of the API, without the network. `onCookies` gets the cookies that they set. */
export function fetchInProcess(
  request: FastifyRequest,
  person: Person | undefined,
  onCookies: (lines: string[]) => void,
): typeof fetch {
  return async (url, { method, headers, body } = {}) => {
    const response = await inject(request, {
      method: method as 'GET',
      url: url as string,
      headers: { ...(headers as Record<string, string>), ...(person && { authorization: person.authorization }) },
      ...(typeof body === 'string' && { payload: body }),
    });
    onCookies([response.headers['set-cookie'] ?? []].flat());
    const { statusCode: status, payload } = response;
    const retryAfter = response.headers['retry-after'];
    return new Response(status === 204 ? null : payload, {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
  };
}
