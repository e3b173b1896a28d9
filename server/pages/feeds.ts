import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { addresses, siteFiles } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import { excerpt, splitQuotations, withoutSigns } from '#contract/text-parts.ts';
import { limits } from '#contract/limits.ts';
import { splitLinks } from '#contract/links.ts';
import { pageTitle, userSummary, wallSummary } from '#contract/page-data.ts';
import type { Post } from '#contract/posts.ts';
import { bothNames, sameUsername } from '#contract/username.ts';
import type { Tag } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { tokenHash } from '../features/api-tokens/token-rules.ts';
import { listDiscussion } from '../features/lists/post-lists.ts';
import { tagsOf } from '../features/posts/post-rows.ts';
import { parseCursor, toCursor } from '../features/posts/post-rules.ts';
import type { WallSettings } from '../features/wall-texts/wall-settings.ts';
import { ApiError } from '../http/thrown-api-error.ts';
import { callInProcess } from '../http/readable.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { ReadyResponse, redirectTo } from '../http/response.ts';
import { orInvalid, routePath } from '../http/serve.ts';
import type { VisitorShare } from '../limits/read-shares-http.ts';
import { cursorOf, searchOf } from './page-routes.ts';
import { escapeXml, xmlDeclaration, xmlTime } from './xml.ts';

interface Feed {
  title: string;
  summary: string;
  /** The path of the feed's newest page, with the query of a search. */
  address: string;
  /** The path of the HTML page with the same posts. */
  page: string;
  posts: readonly Post[];
  /** The value of `updated` for an empty feed, unix seconds. */
  since: number;
  /** The cursor of this page; absent on the newest page. */
  cursor?: string;
  /** On a closed wall: the token with which the reader has asked for this page. */
  token?: string | undefined;
  /** The cursor of the next, older page. */
  next: string | null;
}

/** Atom 1.0, RFC 4287, in pages, RFC 5005. */
function atomFeed(feed: Feed, publicUrl: string): string {
  const { title, summary, address, page, posts, since, cursor, token, next } = feed;
  const newest = publicUrl + address;
  const link = (rel: string, after: string | undefined): string => {
    const query = new URLSearchParams({ ...(after !== undefined && { cursor: after }), ...(token && { token }) });
    const href = newest + (query.size > 0 ? `${newest.includes('?') ? '&' : '?'}${query}` : '');
    return `<link rel="${rel}" type="application/atom+xml" href="${escapeXml(href)}"/>`;
  };
  return [
    xmlDeclaration,
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="ru">',
    `<id>${escapeXml(newest)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<subtitle>${escapeXml(summary)}</subtitle>`,
    `<updated>${xmlTime(posts.length === 0 ? since : Math.max(...posts.map((post) => post.created_at)))}</updated>`,
    `<icon>${escapeXml(publicUrl)}/icon-192.png</icon>`,
    link('self', cursor),
    link('first', undefined),
    ...(next === null ? [] : [link('next', next)]),
    `<link rel="alternate" type="text/html" href="${escapeXml(publicUrl + page)}"/>`,
    ...posts.map((post) => entry(post, publicUrl)),
    '</feed>\n',
  ].join('\n');
}

/** `updated` is the time of publishing, because posts can be edited for some minutes only. */
function entry({ id, text, created_at, owner }: Post, publicUrl: string): string {
  const address = escapeXml(publicUrl + addresses.post.href({ id }));
  const [firstLine] = text.split('\n');
  const time = xmlTime(created_at);
  return [
    '<entry>',
    `<id>${address}</id>`,
    `<title>${escapeXml(excerpt(firstLine!, limits.titleLength))}</title>`,
    `<link rel="alternate" type="text/html" href="${address}"/>`,
    `<published>${time}</published>`,
    `<updated>${time}</updated>`,
    '<author>',
    `<name>${escapeXml(bothNames(owner))}</name>`,
    `<uri>${escapeXml(publicUrl + addresses.user.href({ username: owner.username }))}</uri>`,
    '</author>',
    `<content type="html">${escapeXml(asHtml(text, publicUrl))}</content>`,
    '</entry>',
  ].join('\n');
}

/** The text as HTML with its quotations, line breaks and links, without characters that XML does not allow. */
function asHtml(text: string, publicUrl: string): string {
  const blocks = splitQuotations(text).map(({ quoted, text: part }) =>
    quoted
      ? `<blockquote>${linked(withoutSigns(part), publicUrl)}</blockquote>`
      : `<p>${linked(part.replaceAll(/^\n+|\n+$/g, ''), publicUrl)}</p>`,
  );
  return blocks.join('');
}

function linked(text: string, publicUrl: string): string {
  const parts = splitLinks(text).map(({ text: plain, href, shown: address = plain }) => {
    const shown = escapeXml(address).replaceAll('\n', '<br>');
    if (href === undefined) return shown;
    const target = href.startsWith('/') ? publicUrl + href : href;
    return `<a href="${escapeXml(target)}" rel="nofollow ugc noopener">${shown}</a>`;
  });
  return parts.join('');
}

export interface FeedOptions {
  cache: ResponseCache;
  wall: WallSettings;
  visitors: VisitorShare;
}

export function feedRoutes(app: FastifyInstance, { cache, wall, visitors }: FeedOptions): void {
  app.get(siteFiles.feed.path, (request, reply) => {
    const after = afterOf(cursorOf(request));
    return send(request, reply, `feed ${JSON.stringify(after)}`, async (call, token) => {
      const { posts, next } = await call('GET /posts', { query: { limit: '20', ...after } });
      const [address, page] = [siteFiles.feed.href(), addresses.feed.href()];
      return atom({
        title: wall.appName,
        summary: wall.line ?? wallSummary,
        address,
        page,
        posts,
        since: 0,
        ...after,
        token,
        next,
      });
    });
  });

  app.get(siteFiles.discussedFeed.path, (request, reply) => {
    const after = afterOf(cursorOf(request));
    return send(request, reply, `discussed feed ${JSON.stringify(after)}`, async (call, token) => {
      const { posts, next } = await call('GET /posts/discussed', { query: { limit: '20', ...after } });
      const [address, page] = [siteFiles.discussedFeed.href(), addresses.discussed.href()];
      const title = pageTitle('Обсуждаемые', wall.appName);
      return atom({ title, summary: wall.line ?? wallSummary, address, page, posts, since: 0, ...after, token, next });
    });
  });

  app.get(siteFiles.bestFeed.path, (request, reply) => {
    const after = afterOf(cursorOf(request));
    return send(request, reply, `best feed ${JSON.stringify(after)}`, async (call, token) => {
      const { posts, next } = await call('GET /posts/best', { query: { limit: '20', ...after } });
      const [address, page] = [siteFiles.bestFeed.href(), addresses.best.href()];
      const title = pageTitle('Лучшее за неделю', wall.appName);
      return atom({ title, summary: wall.line ?? wallSummary, address, page, posts, since: 0, ...after, token, next });
    });
  });

  app.get<{ Params: { username: string } }>(routePath(siteFiles.userFeed.path), (request, reply) => {
    const { username: asked } = request.params;
    const after = afterOf(cursorOf(request));
    return send(request, reply, `feed of ${JSON.stringify({ asked, ...after })}`, async (call, token) => {
      const { id, username, created_at: since } = await call('GET /users/{username}', { params: { username: asked } });
      const { posts, next } = await call('GET /posts', { query: { userId: id, limit: '20', ...after } });
      if (!sameUsername(asked, username))
        return redirectTo(siteFiles.userFeed.href({ username }, { ...after, ...(token && { token }) }));
      const [address, page] = [siteFiles.userFeed.href({ username }), addresses.user.href({ username })];
      const title = pageTitle(username, wall.appName);
      return atom({ title, summary: userSummary(username), address, page, posts, since, ...after, token, next });
    });
  });

  app.get<{ Params: { id: string } }>(routePath(siteFiles.discussionFeed.path), (request, reply) => {
    const { id } = request.params;
    const after = afterOf(cursorOf(request));
    return send(request, reply, `feed of post ${JSON.stringify({ id, ...after })}`, async (call, token, from, tags) => {
      const root = await call('GET /posts/{id}', { params: { id } });
      const rootId = root.actions.parent_post_id;
      if (rootId !== null)
        return redirectTo(siteFiles.discussionFeed.href({ id: rootId }, { ...after, ...(token && { token }) }));
      const below = after.cursor === undefined ? undefined : orInvalid(parseCursor(after.cursor));
      const replies = await listDiscussion(from, { rootId: Number(root.id), below, limit: 20 });
      tags.push(...tagsOf(replies.posts));
      const next = replies.next === null ? null : toCursor(replies.next);
      return atom({
        title: pageTitle(`Обсуждение: ${excerpt(root.text, limits.titleLength)}`, wall.appName),
        summary: `Ответы на запись ${bothNames(root.owner)}.`,
        address: siteFiles.discussionFeed.href(root),
        page: addresses.post.href(root),
        posts: next === null ? [...replies.posts, root] : replies.posts,
        since: root.created_at,
        ...after,
        token,
        next,
      });
    });
  });

  app.get(siteFiles.searchFeed.path, (request, reply) => {
    const q = searchOf(request) ?? '';
    const after = afterOf(cursorOf(request));
    return send(request, reply, `feed of search ${JSON.stringify({ q, ...after })}`, async (call, token) => {
      const { posts, next } = await call('GET /posts/search', { query: { q, limit: '20', ...after } });
      const [address, page] = [siteFiles.searchFeed.href({}, { q }), addresses.search.href({}, { q })];
      const title = pageTitle(`${excerpt(q, limits.titleLength)}: поиск`, wall.appName);
      return atom({ title, summary: wall.line ?? wallSummary, address, page, posts, since: 0, ...after, token, next });
    });
  });

  const atom = (feed: Feed): ReadyResponse =>
    new ReadyResponse(atomFeed(feed, wall.publicUrl), 'application/atom+xml; charset=utf-8');

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    make: (call: CallEndpoint, token: string | undefined, from: Kysely<Schema>, tags: Tag[]) => Promise<ReadyResponse>,
  ): Promise<FastifyReply> {
    const token = wall.readers === 'members' ? tokenIn(request) : undefined;
    const key = `${wall.version()} ${token ?? ''} ${name}`;
    const build = async (from: Kysely<Schema>) => {
      const tags: Tag[] = [];
      const response = await make(callInProcess(request, from, tags), token, from, tags);
      return { response, tags: response.status === 200 ? tags : undefined };
    };
    const made = () => cache.build(key, (from) => build(from).catch(undefinedIfMissing));
    const { caller } = request;
    const cached =
      cache.get(key) ??
      (await (caller ? app.members.run(caller.userId, made) : visitors.read(cache.isCheap(key), made)));
    if (cached) return reply.respond(cached);
    reply.callNotFound();
    return reply;
  }
}

/** The token in the address of a feed on a closed wall. The addresses of further pages need it too. */
function tokenIn({ query }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' && tokenHash(token) !== undefined ? token : undefined;
}

const afterOf = (cursor: string | undefined): { cursor?: string } => (cursor === undefined ? {} : { cursor });

/**
 * Turns an ApiError with a status below 500, such as that of a missing author or an invalid cursor, into undefined. Throws other
 * errors again, and that of a search that has to wait: programs do not ask again for what is not found.
 */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
}
