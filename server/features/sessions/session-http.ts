import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Access, type Call, isForKeepers } from '#contract/call.ts';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../db/database.ts';
import { logFailure } from '../../db/write-outage.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { isApi } from '../../http/error-responses.ts';
import { orNotFound } from '../../http/serve.ts';
import type { SecurityLog } from '../../http/security-log.ts';
import { spendOrRefuse } from '../../limits/limits-http.ts';
import { writingBudgets, type WritingOptions } from '../../limits/writing-budgets.ts';
import type { Secrets } from '../../secrets.ts';
import { forbiddenMessage, isApiToken, isUseStale, tokenHash } from '../api-tokens/token-rules.ts';
import { findToken, type FoundToken, recordUse } from '../api-tokens/token-store.ts';
import type { Cookies } from './cookies.ts';
import { blockMessage, isBlocked, readToken, type StoredBlock } from './session-rules.ts';
import { findSessionOwner, type SessionOwner } from './session-store.ts';

type Work<Done> = (tx: Tx, caller: { userId: number; now: number }) => Promise<Done>;

/** Runs a transaction for the caller, which spends one action from the budget of the call. */
export function spendingIn({ db, config, now }: WritingOptions) {
  const budgets = writingBudgets(config);
  return <Done>(request: FastifyRequest, work: Work<Done>): Promise<Done> => {
    const { userId } = callerOf(request);
    const budget = budgets[request.spends!];
    return db.tx(async (tx) => {
      const at = now();
      await spendOrRefuse(tx, budget(userId), at);
      return work(tx, { userId, now: at });
    });
  };
}

/** The dependencies of the routes of sessions, sign-in and account. */
export interface SessionOptions {
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
export interface SessionCaller {
  userId: number;
  sessionId: number;
}

/** A call comes from a person in a session, or from a program with an API token of the person. */
export type Caller = SessionCaller | { userId: number; tokenId: number };

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** The budget of the call. */
    spends: Call['spends'];
  }
  interface FastifyContextConfig {
    access?: Access;
    tokenScope?: Call['scope'];
    spends?: Call['spends'];
  }
}

interface Guarded {
  access: Access;
  tokenScope: Call['scope'];
  spends: Call['spends'];
}

interface GuardOptions {
  db: Database;
  secrets: Secrets;
  publicUrl: string;
  now: () => number;
}

/** Runs before every call of the contract: refuses pages of other origins and identifies the caller. */
export function guard(app: FastifyInstance, { db, secrets, publicUrl, now }: GuardOptions): void {
  const publicHost = new URL(publicUrl).host;
  app.decorateRequest('caller', undefined);
  app.decorateRequest('spends', undefined);

  app.addHook('onRequest', (request, _reply, done) => {
    // An unknown path is refused before the body is read. Otherwise a malformed body would get another response there than at a
    // call of moderators, and reveal that the call exists.
    if (request.is404 && isApi(request.url)) throw new ApiError('NOT_FOUND');
    done();
  });
  // The guard is a hook of each route, because reading the settings of the route in a global hook is slow.
  app.addHook('onRoute', (route) => {
    const { access, tokenScope, spends } = route.config ?? {};
    if (access !== undefined) route.onRequest = guardOf({ access, tokenScope, spends });
  });

  function guardOf(call: Guarded): onRequestHookHandler {
    return (request, _reply, done) => {
      request.spends = call.spends;
      // Fastify waits for the promise instead of `done`. Most requests are from visitors and have no promise.
      const checked = check(request, call);
      if (!checked) done();
      return checked;
    };
  }

  function check(request: FastifyRequest, { access, tokenScope }: Guarded): Promise<void> | undefined {
    const { authorization } = request.headers;
    if (isForKeepers(access)) return checkKeeper(request, authorization, access === 'owner');
    refuseForeign(request);
    // Calls that use the cookie ignore the token: an expired one must not cause a refusal.
    if (authorization !== undefined && access !== 'cookie') return identify(request, authorization, tokenScope);
    if (access === 'user') throw new ApiError('UNAUTHORIZED');
    return undefined;
  }

  async function checkKeeper(request: FastifyRequest, authorization = '', onlyOwners: boolean): Promise<void> {
    request.caller = await identifyKeeper(authorization, onlyOwners);
    refuseForeign(request);
  }

  function refuseForeign(request: FastifyRequest): void {
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    if (changes && isForeign(request, publicHost)) throw new ApiError('FORBIDDEN');
  }

  async function identify(request: FastifyRequest, authorization: string, needed: Call['scope']): Promise<void> {
    const token = bearerOf(authorization);
    if (isApiToken(token)) return identifyByApiToken(request, token, needed);
    const { owner, caller } = orUnauthorized(await sessionOf(token));
    refuseBlocked(owner, now());
    request.caller = caller;
  }

  async function identifyByApiToken(request: FastifyRequest, token: string, needed: Call['scope']): Promise<void> {
    const hash = tokenHash(token);
    const found = orUnauthorized(hash === undefined ? undefined : await findToken(db.read, hash, now()));
    refuseBlocked(found, now());
    const message = forbiddenMessage(found.scope, needed);
    if (message !== undefined) throw new ApiError('FORBIDDEN', { message });
    request.caller = { userId: found.user_id, tokenId: found.id };
    await noteTokenUse(request, { db, now }, found);
  }

  /** Everybody without the role gets the response of an unknown path. */
  async function identifyKeeper(authorization: string, onlyOwners: boolean): Promise<SessionCaller> {
    const { owner, caller } = orNotFound(await sessionOf(bearerOf(authorization)));
    const hasRole = onlyOwners ? owner.role === 'owner' : owner.role !== null;
    if (!hasRole || isBlocked(owner, now())) throw new ApiError('NOT_FOUND');
    return caller;
  }

  async function sessionOf(token: string): Promise<{ owner: SessionOwner; caller: SessionCaller } | undefined> {
    const sessionId = readToken(secrets, token, now());
    const owner = sessionId === undefined ? undefined : await findSessionOwner(db.read, sessionId);
    return sessionId === undefined || !owner ? undefined : { owner, caller: { userId: owner.user_id, sessionId } };
  }
}

export async function noteTokenUse(
  { log }: FastifyRequest,
  { db, now }: Pick<GuardOptions, 'db' | 'now'>,
  { id, last_used_at: lastUsedAt }: FoundToken,
): Promise<void> {
  if (!isUseStale(lastUsedAt, now())) return;
  // A full disk must not stop programs from reading.
  await db
    .tx((tx) => recordUse(tx, id, now()))
    .catch((error: unknown) => {
      logFailure({ log, db }, { err: error }, 'the use of a token was not recorded');
    });
}

/**
 * Whether a page of another origin sent the request; it must not change anything. Programs send neither `Origin` nor
 * `Sec-Fetch-Site`. Every browser that sends the session cookie sends one of them. No browser sends the cookie for another site.
 */
export function isForeign({ headers }: FastifyRequest, publicHost: string): boolean {
  const { origin, host } = headers;
  if (headers['sec-fetch-site'] === 'same-origin') return false;
  if (origin !== undefined) {
    const from = URL.canParse(origin) ? new URL(origin).host : '';
    return from === '' || (from !== host && from !== publicHost);
  }
  return headers['sec-fetch-site'] !== undefined;
}

const bearerOf = (authorization: string): string =>
  authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '';

/** Refuses a blocked person with the reason. Calls of keepers respond with NOT_FOUND instead, and the person can still sign out. */
export function refuseBlocked(block: StoredBlock, now: number): void {
  if (isBlocked(block, now)) throw new ApiError('ACCOUNT_BLOCKED', { message: blockMessage(block) });
}

/** The caller of a call whose access is `user`, `moderator` or `owner`. */
export const callerOf = ({ caller }: FastifyRequest): Caller => orUnauthorized(caller);

/** The caller of a call that refuses API tokens. */
export function sessionCallerOf(request: FastifyRequest): SessionCaller {
  const caller = callerOf(request);
  if (!('sessionId' in caller)) throw new ApiError('FORBIDDEN');
  return caller;
}

function orUnauthorized<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiError('UNAUTHORIZED');
  return found;
}
