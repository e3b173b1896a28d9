import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addresses, siteFiles } from '#contract/addresses.ts';
import { getClaim } from '#contract/claims.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { checkOwnerLink, getInvitation } from '#contract/join.ts';
import { getSharedPost } from '#contract/posts.ts';
import { closeCurrentSession, renewToken } from '#contract/sessions.ts';
import { getMailState, startLogin, startRegistration, verifyLogin, verifyRegistration } from '#contract/sign-in.ts';
import { getWallText } from '#contract/wall-texts.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { isApi } from '../../http/errors.ts';
import { routePath } from '../../http/serve.ts';
import { tokenHash } from '../api-tokens/rules.ts';
import { findToken } from '../api-tokens/store.ts';
import type { Cookies } from './cookies.ts';
import { noteTokenUse } from './http.ts';
import type { KnownMembers } from './known-members.ts';
import { cookieHash, isBlocked } from './rules.ts';
import { findSessionByCookie } from './store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Responds with the way to the sign-in instead of a page of a closed wall. */
    askToSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  }
}

interface ClosedWallOptions {
  db: Database;
  isClosed: () => boolean;
  known: KnownMembers;
  cookies: Cookies;
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
];
const openCalls = [
  startLogin,
  verifyLogin,
  startRegistration,
  verifyRegistration,
  getMailState,
  renewToken,
  closeCurrentSession,
  getInvitation,
  checkOwnerLink,
  getClaim,
  getWallText,
  getSharedPost,
];
const openRoutes = new Set(['/healthz', '/readyz', ...openAddresses.map(({ path }) => routePath(path))]);
const openCallRoutes = new Set(openCalls.map(({ method, path }) => `${method} ${apiPrefix}${routePath(path)}`));
/** The files of the build have routes of their own. */
const buildFile = /^\/(assets\/.+|[\w-]+\.(ico|png|svg|webp))$/;

const feeds = new Set([siteFiles.feed, siteFiles.discussedFeed, siteFiles.userFeed].map(({ path }) => routePath(path)));
const programFiles = new Set(Object.values(siteFiles).map(({ path }) => routePath(path)));

/** On a closed wall everyone may open the ways in, the texts about the wall, and files that are the same on all walls. */
export function isAtDoor({ method, params, routeOptions: { url } }: FastifyRequest): boolean {
  if (url === undefined) return false;
  // The description of the API is for members.
  const isOpen = openRoutes.has(url) || openCallRoutes.has(`${method} ${url}`);
  return isOpen ? (params as { name?: string }).name !== 'api' : buildFile.test(url);
}

/**
 * The front door of a closed wall. It stands before all routes and opens for what is named above and for people with a session;
 * a route that is new is closed. The responses do not depend on what there is.
 */
export function closeWall(app: FastifyInstance, { db, isClosed, known, cookies, now }: ClosedWallOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isClosed() || isAtDoor(request) || guardsItself(request) || (await isMember(request))) return undefined;
    const { method, url, is404, routeOptions } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    // Forms make calls of the API. They keep what was typed until its author has signed in.
    if (!isRead && !isApi(url) && !is404) return undefined;
    const isPage = isRead && !isApi(url) && !programFiles.has(routeOptions.url ?? '');
    if (!isPage) throw new ApiError('UNAUTHORIZED', { message });
    return app.askToSignIn(request, reply);
  });

  async function isMember(request: FastifyRequest): Promise<boolean> {
    return known.has(request) || (await known.remember(request, () => hasSession(request))) || isOwnFeed(request);
  }

  async function hasSession(request: FastifyRequest): Promise<boolean> {
    const cookie = cookies.read(request, 'session');
    const session = cookie === undefined ? undefined : await findSessionByCookie(db.read, cookieHash(cookie), now());
    return session !== undefined && !isBlocked(session, now());
  }

  /** Feed readers have no cookie: the address of the feed has a token that may only read. */
  async function isOwnFeed(request: FastifyRequest): Promise<boolean> {
    if (!feeds.has(request.routeOptions.url ?? '')) return false;
    const hash = tokenHash(String((request.query as { token?: unknown }).token));
    const found = hash === undefined ? undefined : await findToken(db.read, hash, now());
    if (!found || found.scope !== 'read' || isBlocked(found, now())) return false;
    await noteTokenUse(request, { db, now }, found);
    return true;
  }
}

/** A call with a token: the guard of its route refuses a token that is not valid, and there is nothing at an unknown path. */
function guardsItself({ headers, is404, url, routeOptions: { config } }: FastifyRequest): boolean {
  const isGuarded = config.access !== undefined && config.access !== 'cookie';
  return headers.authorization !== undefined && (isGuarded || (is404 && isApi(url)));
}
