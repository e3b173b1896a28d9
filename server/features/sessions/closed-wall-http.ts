import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addresses, siteFiles } from '#contract/addresses.ts';
import type { Calls } from '#contract/calls.ts';
import { apiPrefix, endpointOf } from '#contract/endpoint.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { isApi } from '../../http/error-responses.ts';
import { healthPaths } from '../../http/request-guards.ts';
import { routePath } from '../../http/serve.ts';
import { tokenHash } from '../api-tokens/token-rules.ts';
import { findToken } from '../api-tokens/token-store.ts';
import type { Cookies } from './cookies.ts';
import { noteTokenUse } from './session-http.ts';
import { cookieHash, isBlocked } from './session-rules.ts';
import { findSessionByCookie } from './session-store.ts';

const maxKnown = 10_000;
const maxCookieLength = 1_000;
/** Short, because a session also ends by time, which no write reports. */
const knownSeconds = 10;

interface KnownMembersOptions {
  db: Database;
  cookies: Cookies;
  /** Unix seconds. */
  now: () => number;
}

/**
 * Remembers cookie headers with the session of a member, for a closed wall and for a wall under load. Every process forgets all
 * of them at once when any session is closed or any person blocked: both touch `members`.
 */
export class KnownMembers {
  #known = new Map<string, { userId: number; until: number }>();
  #changes = 0;
  #options: KnownMembersOptions;

  constructor(options: KnownMembersOptions) {
    this.#options = options;
    options.db.onChange((changed) => {
      if (changed !== 'everything' && !changed.includes('members')) return;
      this.#known.clear();
      this.#changes += 1;
    });
  }

  has(request: Pick<IncomingMessage, 'headers'>): boolean {
    return this.#memberOf(request) !== undefined;
  }

  /** The id of the member who sends the request. The cookie is remembered unless a session was closed meanwhile. */
  async find(request: FastifyRequest): Promise<number | undefined> {
    const known = this.#memberOf(request);
    if (known !== undefined) return known;
    const changes = this.#changes;
    const userId = await this.#memberInSession(request);
    const { cookie } = request.headers;
    const mayStore = changes === this.#changes && cookie !== undefined && cookie.length <= maxCookieLength;
    if (userId !== undefined && mayStore) {
      if (this.#known.size >= maxKnown) this.#known.clear();
      this.#known.set(cookie, { userId, until: this.#options.now() + knownSeconds });
    }
    return userId;
  }

  #memberOf({ headers: { cookie } }: Pick<IncomingMessage, 'headers'>): number | undefined {
    const known = cookie === undefined ? undefined : this.#known.get(cookie);
    if (!known) return undefined;
    const remaining = known.until - this.#options.now();
    // The clock may have been set back.
    return remaining > 0 && remaining <= knownSeconds ? known.userId : undefined;
  }

  async #memberInSession(request: FastifyRequest): Promise<number | undefined> {
    const { db, cookies, now } = this.#options;
    const cookie = cookies.read(request, 'session');
    const session = cookie === undefined ? undefined : await findSessionByCookie(db.read, cookieHash(cookie), now());
    return session && !isBlocked(session, now()) ? session.user_id : undefined;
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Responds with the sign-in instead of a page of a closed wall. */
    askToSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  }
}

interface ClosedWallOptions {
  db: Database;
  isClosed: () => boolean;
  known: KnownMembers;
  /** Unix seconds. */
  now: () => number;
}

const message = 'Эту стену читают только участники. Войдите, чтобы продолжить.';

const openAddresses = [
  addresses.sharedPost,
  addresses.signIn,
  addresses.join,
  addresses.ownerLink,
  addresses.claim,
  addresses.wallText,
  addresses.undoEmail,
  addresses.undoEmailOutcome,
  addresses.unsubscribe,
  addresses.unsubscribeOutcome,
  siteFiles.robots,
  siteFiles.manifest,
  siteFiles.securityTxt,
  siteFiles.carried,
];
const openCalls: ReadonlyArray<keyof Calls> = [
  'POST /logins',
  'POST /logins/{id}/verify',
  'POST /registrations',
  'POST /registrations/{id}/verify',
  'GET /mail/{id}',
  'PATCH /sessions/current',
  'DELETE /sessions/current',
  'GET /invitations/{code}',
  'GET /owner-links/{code}',
  'GET /claims/{code}',
  'GET /documents/{name}',
  'GET /posts/{id}/shared',
];
const openRoutes = new Set([...healthPaths, ...openAddresses.map(({ path }) => routePath(path))]);
const openCallRoutes = new Set(
  openCalls.map((call) => {
    const { method, path } = endpointOf(call);
    return `${method} ${apiPrefix}${routePath(path)}`;
  }),
);
/** The files of the build have routes of their own. */
const buildFile = /^\/(assets\/.+|[\w-]+\.(ico|png|svg|webp))$/;

const { feed, discussedFeed, bestFeed, userFeed, discussionFeed, searchFeed } = siteFiles;
const feeds = new Set(
  [feed, discussedFeed, bestFeed, userFeed, discussionFeed, searchFeed].map(({ path }) => routePath(path)),
);
const programFiles = new Set(Object.values(siteFiles).map(({ path }) => routePath(path)));

/**
 * Whether everybody may send a request on a closed wall: for sign-in, registration, shared posts, links of invitations and letters,
 * texts about the wall, files that all walls share.
 */
export function isAtDoor({ method, params, routeOptions: { url } }: FastifyRequest): boolean {
  if (url === undefined) return false;
  // The description of the API is for members.
  const isOpen = openRoutes.has(url) || openCallRoutes.has(`${method} ${url}`);
  return isOpen ? (params as { name?: string }).name !== 'api' : buildFile.test(url);
}

/**
 * Guards all routes of a closed wall. Only members pass, and requests for which `isAtDoor` is true; a new route is closed. The
 * refusal does not reveal whether a post or person exists.
 */
export function closeWall(app: FastifyInstance, { db, isClosed, known, now }: ClosedWallOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify waits for the promise instead of `done`. Requests that pass at once have no promise, which would cost each of them time.
    if (isClosed() && !isAtDoor(request) && !guardsItself(request)) return check(request, reply);
    done();
    return undefined;
  });

  async function check(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (await isMember(request)) return undefined;
    const { method, url, is404, routeOptions } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    // Forms pass, because their handlers call the API, which refuses, and keep what was typed until the author has signed in.
    if (!isRead && !isApi(url) && !is404) return undefined;
    const isPage = isRead && !isApi(url) && !programFiles.has(routeOptions.url ?? '');
    if (!isPage) throw new ApiError('UNAUTHORIZED', { message });
    return app.askToSignIn(request, reply);
  }

  const isMember = async (request: FastifyRequest): Promise<boolean> =>
    (await known.find(request)) !== undefined || isOwnFeed(request);

  /** Feed readers have no cookie, so the address of a feed has a token with the scope `feed`. Older addresses have the scope `read`. */
  async function isOwnFeed(request: FastifyRequest): Promise<boolean> {
    if (!feeds.has(request.routeOptions.url ?? '')) return false;
    const hash = tokenHash(String((request.query as { token?: unknown }).token));
    const found = hash === undefined ? undefined : await findToken(db.read, hash, now());
    if (!found || found.scope === 'write' || isBlocked(found, now())) return false;
    await noteTokenUse(request, { db, now }, found);
    request.caller = { userId: found.user_id, tokenId: found.id };
    return true;
  }
}

/** Whether the request is a call with a token. The guard of the route refuses an invalid token, and an unknown path gets 404. */
function guardsItself({ headers, is404, url, routeOptions: { config } }: FastifyRequest): boolean {
  const isGuarded = config.access !== undefined && config.access !== 'cookie';
  return headers.authorization !== undefined && (isGuarded || (is404 && isApi(url)));
}
