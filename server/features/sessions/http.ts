import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/api-error.ts';
import type { SecurityLog } from '../../http/security-log.ts';
import type { Secrets } from '../../secrets.ts';
import { blockMessage, idleSeconds, readToken } from './rules.ts';
import { findSessionOwner, type SessionOwner } from './store.ts';

/** What the routes of sessions, sign-in and account need. */
export interface AuthOptions {
  db: Database;
  config: Config;
  secrets: Secrets;
  cookies: Cookies;
  /** The mail sender, woken when mail has been queued. */
  outbox: { wake(): void };
  security: SecurityLog;
  /** Unix seconds. */
  now: () => number;
}

/** An open session and its owner. */
export interface Caller {
  userId: number;
  sessionId: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    access?: Endpoint['access'];
  }
}

interface GuardOptions {
  db: Database;
  secrets: Secrets;
  publicUrl: string;
  now: () => number;
}

/** Before every call of the contract: refuses pages of other origins and identifies the session. */
export function guard(app: FastifyInstance, { db, secrets, publicUrl, now }: GuardOptions): void {
  const publicHost = new URL(publicUrl).host;
  app.decorateRequest('caller', undefined);

  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config;
    if (access === undefined) return;
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    if (changes && isForeign(request, access)) throw new ApiError('FORBIDDEN');
    const { authorization } = request.headers;
    // Calls that use the cookie ignore the token: an expired one must not cause a refusal.
    if (authorization !== undefined && access !== 'cookie') request.caller = await identify(authorization);
    else if (access === 'user') throw new ApiError('UNAUTHORIZED');
  });

  async function identify(authorization: string): Promise<Caller> {
    const token = authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '';
    const sessionId = readToken(secrets, token, now());
    const owner = sessionId && (await findSessionOwner(db.read, sessionId));
    if (!owner) throw new ApiError('UNAUTHORIZED');
    refuseBlocked(owner);
    return { userId: owner.user_id, sessionId };
  }

  /**
   * Whether a page of another origin sent the request; it must not change anything. Programs send neither header: they
   * are refused only where the cookie alone authenticates, since a browser would have sent the headers with it.
   */
  function isForeign({ headers }: FastifyRequest, access: Endpoint['access']): boolean {
    const { origin, host } = headers;
    if (headers['sec-fetch-site'] === 'same-origin') return false;
    if (origin !== undefined) {
      const from = URL.canParse(origin) ? new URL(origin).host : '';
      return from === '' || (from !== host && from !== publicHost);
    }
    return headers['sec-fetch-site'] !== undefined || access === 'cookie';
  }
}

/** A blocked person gets the reason in response to every call. */
export function refuseBlocked({ blocked_at: blockedAt, block_reason: reason }: SessionOwner): void {
  if (blockedAt !== null) throw new ApiError('ACCOUNT_BLOCKED', { message: blockMessage(reason!) });
}

/** The caller of a call whose access is `user`. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new ApiError('UNAUTHORIZED');
  return caller;
}

export interface Cookies {
  fullName(name: CookieName): string;
  /** The cookie's value; undefined unless it has the form of a value set by this server. */
  read(request: FastifyRequest, name: CookieName): string | undefined;
  set(reply: FastifyReply, name: CookieName, value: string): void;
  clear(reply: FastifyReply, name: CookieName): void;
}

/** `session` authenticates; `device` identifies a browser that has signed in before. */
type CookieName = 'session' | 'device';

const form = /^[\w-]{43}$/;
const deviceSeconds = 400 * 24 * 3_600;

/** On https the names have the `__Host-` prefix: no other host and no plain HTTP response can set them. */
export function cookiesFor(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:');
  const fullName = (name: CookieName): string => (secure ? `__Host-${name}` : name);
  const common = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;

  return {
    fullName,
    read(request, name) {
      const value = request.cookies[fullName(name)];
      return value !== undefined && form.test(value) ? value : undefined;
    },
    set(reply, name, value) {
      void reply.setCookie(fullName(name), value, {
        ...common,
        maxAge: name === 'session' ? idleSeconds : deviceSeconds,
      });
    },
    clear(reply, name) {
      void reply.clearCookie(fullName(name), common);
    },
  };
}
