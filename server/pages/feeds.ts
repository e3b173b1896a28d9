import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { getUser } from '#contract/account.ts';
import { addresses, siteFiles } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/endpoint.ts';
import { pageTitle, userSummary, wallSummary } from '#contract/page.ts';
import { listDiscussed, listPosts } from '#contract/posts.ts';
import { sameUsername } from '#contract/username.ts';
import type { Tag } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { ApiError } from '../http/api-error.ts';
import { callInProcess } from '../http/readable.ts';
import { ReadyResponse, redirectTo } from '../http/response.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { routePath } from '../http/serve.ts';
import { tokenHash } from '../features/api-tokens/rules.ts';
import type { WallSettings } from '../features/wall-texts/wall-settings.ts';
import { atomFeed, type Feed } from './atom.ts';
import { cursorOf } from './routes.ts';

export interface FeedOptions {
  cache: ResponseCache;
  wall: WallSettings;
}

/** Atom feeds of the wall and of each author. */
export function feedRoutes(app: FastifyInstance, { cache, wall }: FeedOptions): void {
  app.get(siteFiles.feed.path, (request, reply) => {
    const after = afterOf(cursorOf(request));
    return send(request, reply, `feed ${JSON.stringify(after)}`, async (call, token) => {
      const { posts, next } = await call(listPosts, { query: { limit: '20', ...after } });
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
      const { posts, next } = await call(listDiscussed, { query: { limit: '20', ...after } });
      const [address, page] = [siteFiles.discussedFeed.href(), addresses.discussed.href()];
      const title = pageTitle('Обсуждаемые', wall.appName);
      return atom({ title, summary: wall.line ?? wallSummary, address, page, posts, since: 0, ...after, token, next });
    });
  });

  app.get<{ Params: { username: string } }>(routePath(siteFiles.userFeed.path), (request, reply) => {
    const { username: asked } = request.params;
    const after = afterOf(cursorOf(request));
    return send(request, reply, `feed of ${JSON.stringify({ asked, ...after })}`, async (call, token) => {
      const { id, username, created_at: since } = await call(getUser, { params: { username: asked } });
      const { posts, next } = await call(listPosts, { query: { userId: id, limit: '20', ...after } });
      if (!sameUsername(asked, username))
        return redirectTo(siteFiles.userFeed.href({ username }, { ...after, ...(token && { token }) }));
      const [address, page] = [siteFiles.userFeed.href({ username }), addresses.user.href({ username })];
      const title = pageTitle(username, wall.appName);
      return atom({ title, summary: userSummary(username), address, page, posts, since, ...after, token, next });
    });
  });

  const atom = (feed: Feed): ReadyResponse =>
    new ReadyResponse(atomFeed(feed, wall.publicUrl), 'application/atom+xml; charset=utf-8');

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    make: (call: CallEndpoint, token: string | undefined) => Promise<ReadyResponse>,
  ): Promise<FastifyReply> {
    const token = wall.readers === 'members' ? tokenIn(request) : undefined;
    const key = `${wall.version()} ${token ?? ''} ${name}`;
    const build = async (from: Kysely<Schema>) => {
      const tags: Tag[] = [];
      const response = await make(callInProcess(request, from, tags), token);
      return { response, tags: response.status === 200 ? tags : undefined };
    };
    const cached = cache.get(key) ?? (await cache.build(key, (from) => build(from).catch(undefinedIfMissing)));
    if (cached) return reply.respond(cached);
    reply.callNotFound();
    return reply;
  }
}

/** The token in the address of a feed on a closed wall. Its further pages need it too. */
function tokenIn({ query }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' && tokenHash(token) !== undefined ? token : undefined;
}

const afterOf = (cursor: string | undefined): { cursor?: string } => (cursor === undefined ? {} : { cursor });

/** There is no such author, or the cursor is invalid. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
}
