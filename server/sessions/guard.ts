import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Database } from '../db/database.ts';
import type { Secrets } from '../secrets.ts';
import { blockMessage, readToken } from './rules.ts';
import { findSessionOwner, type SessionOwner } from './store.ts';
import { ApiError } from '../http/api-error.ts';

/** Who calls: an open session and its owner. */
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

/** Stands before every call of the contract: whose page sent it, and whose session it speaks for. */
export function guard(app: FastifyInstance, { db, secrets, publicUrl, now }: GuardOptions): void {
  const publicHost = new URL(publicUrl).host;
  app.decorateRequest('caller', undefined);

  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config;
    if (access === undefined) return;
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    if (changes && isForeign(request, access)) throw new ApiError('FORBIDDEN');
    const { authorization } = request.headers;
    // A cookie opens its own calls: an outlived token that comes along is no reason to refuse them.
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

  /** A page of another origin must change nothing. Programs send neither header, but then no browser lends them a cookie. */
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

/** Whoever is blocked is told why, whatever they ask for. */
export function refuseBlocked({ blocked_at: blockedAt, block_reason: reason }: SessionOwner): void {
  if (blockedAt !== null) throw new ApiError('ACCOUNT_BLOCKED', { message: blockMessage(reason!) });
}

/** The caller of a call that only signed-in people reach. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new ApiError('UNAUTHORIZED');
  return caller;
}
