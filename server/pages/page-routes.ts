import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { addresses } from '#contract/addresses.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import type { ClientSettings, PageQuery, PersonalRequest } from '#contract/page-data.ts';
import type { Database, Tag } from '../db/database.ts';
import { parseId } from '../db/ids.ts';
import type { Schema } from '../db/schema.ts';
import { isSharedPost } from '../features/lists/shared-posts.ts';
import { isAtDoor, type KnownMembers } from '../features/sessions/closed-wall-http.ts';
import type { Cookies } from '../features/sessions/cookies.ts';
import type { WallTexts } from '../features/wall-texts/operator-texts.ts';
import type { WallSettings } from '../features/wall-texts/wall-settings.ts';
import { ApiError } from '../http/thrown-api-error.ts';
import { isApi } from '../http/error-responses.ts';
import { callInProcess } from '../http/readable.ts';
import { compressFor, ReadyResponse, redirectTo, type SharedBytes } from '../http/response.ts';
import type { BuiltResponse, ResponseCache } from '../http/response-cache.ts';
import { routePath } from '../http/serve.ts';
import { latestPosition, nowhere } from '../live/change-log.ts';
import type { Secrets } from '../secrets.ts';
import { notStored, personalRoutes } from './personal.ts';
import type { VisitorShare } from '../limits/read-shares-http.ts';
import type { WebBuild } from './web-build.ts';

export interface PageOptions {
  cache: ResponseCache;
  web: WebBuild;
  wallTexts: WallTexts;
  wall: WallSettings;
  settings: Pick<ClientSettings, 'publicUrl' | 'editWindowSeconds' | 'codeResendSeconds' | 'hasNoMail'>;
  secrets: Secrets;
  cookies: Cookies;
  /** Visitors cannot search. */
  searchNeedsSession: boolean;
  known: KnownMembers;
  visitors: VisitorShare;
  db: Database;
  /** Unix seconds. */
  now: () => number;
}

/** Path and query of an address with a superfluous trailing slash. Empty segments are not matched: `//` could name another site. */
const endsWithSlash = /^((?:\/[\w%.~-]+)+)\/(\?.*)?$/s;

/** The first `cursor` of a query: where a list continues for readers without JavaScript and for feed readers. */
export const cursorOf = (request: FastifyRequest): string | undefined => valueOf(request, 'cursor');

const valueOf = ({ query }: FastifyRequest, name: string): string | undefined =>
  [(query as Record<string, string | string[] | undefined>)[name]].flat()[0];

/** The query of the search. A too long query is cut to a length that is still refused, so that it is no long key in the cache. */
export const searchOf = (request: FastifyRequest): string | undefined =>
  valueOf(request, 'q')?.slice(0, 2 * limits.searchLength + 1);

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!;

/** A path without needless escapes, so that every page has one address and one key in the cache. */
const unescaped = (path: string): string =>
  path.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const sign = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : escape.toUpperCase();
  });

/** The bytes of the parts that many pages share, by their text. */
const sharedParts = new Map<string, SharedBytes>();

function pageResponse([before = '', part = '', after = '']: readonly string[], status: number): ReadyResponse {
  let shared = sharedParts.get(part);
  if (!shared) sharedParts.set(part, (shared = { bytes: Buffer.from(part), digest: hash('sha1', part, 'base64url') }));
  const at = Buffer.byteLength(before);
  return new ReadyResponse(before + after, 'text/html; charset=utf-8', { status, shared: { ...shared, at } });
}

/** A page may lack additions of this time, so that it is rendered at most once in this time, however much is written. */
const pageLagMs = 1_000;

/**
 * How much a page may lag. A page with a position in the change log may lack additions, because its first event brings them. The
 * search may not, because no event says what matches a query. A reload asks for the current page.
 */
const lagFor = (path: string, { headers }: FastifyRequest): number =>
  path === addresses.search.path || headers['cache-control'] !== undefined ? 0 : pageLagMs;

/** The HTML pages. They are cached and the same for everyone, except pages that are made for one person or visitor. */
export function pageRoutes(app: FastifyInstance, options: PageOptions): void {
  const { cache, web, wall, wallTexts, settings, known, visitors, db, now } = options;
  const settingsNow = () => ({
    ...settings,
    appName: wall.appName,
    line: wall.line,
    mark: wall.mark,
    pictures: wall.pictures?.version,
    contact: wall.ownContact,
    consent: wallTexts.get('consent')?.hash,
    intro: wallTexts.intro(),
    isClosed: wall.readers === 'members' || undefined,
    hasGate: wall.gate.posts > 0 || undefined,
    registration: wall.registration,
  });
  const sendPersonal = personalRoutes(app, { ...options, publicUrl: settings.publicUrl, settingsNow, sendOwn });

  const personalPaths = new Set(web.personal.paths.map((page) => page.path));
  for (const path of web.paths) {
    const isPersonal = personalPaths.has(path);
    app.get(routePath(path), (request, reply) => {
      const asked = pathOf(request);
      const [to, rest] = [unescaped(asked), request.url.slice(asked.length)];
      return to === asked ? sendPage(request, reply, isPersonal) : reply.redirect(to + rest, 308);
    });
  }

  const routes = new Set(web.paths.map(routePath));
  app.decorate('askToSignIn', async (request, reply) => {
    void reply.header('cache-control', notStored);
    const post = addresses.post.match(pathOf(request));
    if (post && (await isSharedPost(db.read, parseId(post.id) ?? 0)))
      return reply.redirect(addresses.sharedPost.href(post), 302);
    if (!routes.has(request.routeOptions.url ?? ''))
      return reply.redirect(addresses.signIn.href({}, { next: request.url }), 302);
    // A link from another site comes without the cookie, even of a member. So the page has no content, and its scripts load it.
    const data = { settings: settingsNow(), madeAt: now(), position: String(nowhere), content: undefined };
    const html = await visitors.forVisitor(request, async () => web.render(data, pathOf(request)));
    const body = await compressFor(html.join(''), request.headers['accept-encoding'], reply);
    return reply.type('text/html; charset=utf-8').send(body);
  });

  app.setNotFoundHandler((request, reply) => {
    const isForPeople = !isApi(request.url) && (request.method === 'GET' || request.method === 'HEAD');
    if (!isForPeople) throw new ApiError('NOT_FOUND');
    const slashed = endsWithSlash.exec(request.url);
    if (slashed) return reply.redirect(`${slashed[1]}${slashed[2] ?? ''}`, 308);
    return sendPage(request, reply, false);
  });

  async function sendPage(request: FastifyRequest, reply: FastifyReply, isPersonal: boolean): Promise<FastifyReply> {
    const cursor = cursorOf(request);
    const path = pathOf(request);
    const query = path === addresses.search.path ? { cursor, q: searchOf(request) } : { cursor };
    // All pages contain the introduction and the hash of the consent, so a changed wall text outdates all of them.
    const keyNow = (): string => `page ${wallTexts.version()} ${path} ${JSON.stringify(query)}`;
    const lagMs = lagFor(path, request);
    try {
      if (isPersonal && (await sendPersonal(request, reply))) return reply;
      const page = await cachedPage(request, keyNow(), query, lagMs);
      await page.prepare(request.headers);
      if (lagMs > 0 && page.status === 200 && !isPersonal)
        app.fastPath.remember(request, () => cache.find(keyNow(), lagMs));
      return reply.respond(page);
    } catch (error) {
      if (!(error instanceof ApiError) || error.limit !== 'searches') throw error;
      reply.raw.setHeader('retry-after', error.retryAfter ?? 1);
      const refusal = error.message;
      return reply.respond(await cachedPage(request, `refused ${path} ${refusal}`, { refusal }));
    }
  }

  async function sendOwn(request: FastifyRequest, reply: FastifyReply, asked: PersonalRequest, status = 200) {
    const { user, hidden, sent } = asked;
    // The position is read before the content, so that event streams from this position include every change that the page lacks.
    const position = String(!user && wall.readers === 'members' ? nowhere : await latestPosition(db.read));
    const { exists, content, muted } = await web.personal.load(asked);
    const flag = user && options.cookies.matchFlag(request, reply);
    const person = { user, flag, hidden, sent, muted };
    const data = { settings: settingsNow(), madeAt: now(), position, content, person };
    const make = async () => {
      const html = await web.render(data, pathOf(request));
      return compressFor(html.join(''), request.headers['accept-encoding'], reply);
    };
    // Only the rendering takes a turn. The calls of `load` take turns of their own: pages that held a turn while their calls wait
    // for one would wait for each other forever.
    const body = await (user ? app.members.run(Number(user.id), make) : visitors.forVisitor(request, make));
    return reply
      .code(exists ? status : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', notStored)
      .send(body);
  }

  async function cachedPage(request: FastifyRequest, key: string, query: PageQuery, lagMs = 0): Promise<ReadyResponse> {
    const cached = cache.get(key, lagMs);
    if (cached) return cached;
    visitors.count(request);
    // A member's request does not wait for visitors, not even for a visitor's render of the same page.
    const member = visitors.isBusy ? await known.find(request) : undefined;
    const ownKey = member === undefined ? key : `member ${key}`;
    const isFirst = cache.has(key);
    const render = async (from: Kysely<Schema>): Promise<BuiltResponse> => {
      const made = await makePage(request, query, from);
      await made.response.prepare(request.headers);
      return made;
    };
    // While the storage is away, pages are rendered without a turn, because the turns may be held by queries that do not end.
    const make = (from: Kysely<Schema>) => {
      if (!db.receivesForeignWrites) return render(from);
      return member === undefined
        ? visitors.run(() => render(from), isFirst)
        : app.members.run(member, () => render(from));
    };
    const maxAgeMs = serverLimits.pageMaxAgeSeconds * 1_000;
    // A search may not be made twice because it counts against a limit, and no tag shows that a replica lacks a matching post.
    const primaryOnly = pathOf(request) === addresses.search.path;
    return cache.find(ownKey, lagMs) ?? (await cache.build(ownKey, make, { maxAgeMs, lagMs, primaryOnly }))!;
  }

  async function makePage(request: FastifyRequest, query: PageQuery, from: Kysely<Schema>): Promise<BuiltResponse> {
    const tags: Tag[] = [];
    const path = pathOf(request);
    // The position is read before the content, so that event streams from this position include every change that the page lacks.
    // It reveals how much is written, so visitors of a closed wall do not get it, neither on pages that they may open nor on a
    // page for a missing file.
    const isForVisitors = wall.readers === 'members' && (request.is404 || isAtDoor(request));
    const position = String(isForVisitors ? nowhere : await latestPosition(from));
    const { exists, content, movedTo } = await web.load(path, query, callInProcess(request, from, tags));
    if (movedTo !== undefined) return { response: redirectTo(movedTo), tags: undefined };
    const html = await web.render({ settings: settingsNow(), madeAt: now(), position, content }, path);
    const status = query.refusal !== undefined ? 429 : exists ? 200 : 404;
    // A missing page must not be cached, because nothing invalidates it when the page is created.
    return { response: pageResponse(html, status), tags: exists ? tags : undefined };
  }
}
