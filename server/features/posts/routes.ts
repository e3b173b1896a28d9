import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import * as schema from '#contract/posts.schema.ts';
import * as posts from '#contract/posts.ts';
import type { Tag } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import type { PersonalJson } from '../../http/response.ts';
import type { BuiltResponse, ResponseCache } from '../../http/response-cache.ts';
import { ApiError } from '../../http/api-error.ts';
import { readable, type TaggedReply } from '../../http/readable.ts';
import { serve } from '../../http/serve.ts';
import { type Source, withAside, withPinned } from './aside-http.ts';
import { addLastReplies, listDiscussed } from './discussed.ts';
import { ownList, type OwnListOptions } from './own-list-routes.ts';
import {
  asksForAside,
  belowOf,
  type FeedQuery,
  feedPlaceOf,
  pageOf,
  partOf,
  personalTo,
  placeOf,
  PostsResponse,
  withPinnedLast,
} from './http.ts';
import { tagsOf } from './rows.ts';
import { findThread, tagsOfThread } from './thread.ts';
import { keyOfPart, postsOfThread, type ThreadQuery } from './thread-rules.ts';
import { type FeedPlace, type ListPlace, type ListQuery, type PostList, toCursor } from './rules.ts';
import { findPost, listFeed, listLiked, listPostsOf, listRepliesOf, listRepliesTo } from './store.ts';
import { parseId } from '../../db/parse-id.ts';
import { idOf, orNotFound } from '../../http/requests.ts';

const noPosts: PostList = { posts: [], total: 0, next: null, previous: null };

export interface PostOptions extends OwnListOptions {
  cache: ResponseCache<PostsResponse>;
}

type Cached = PostsResponse | Promise<PostsResponse>;

export function postRoutes(app: FastifyInstance, options: PostOptions): void {
  const { db, cache, now } = options;
  serve(app, posts.listPosts, schema.listPosts, ({ query, request }) => {
    if (query.filter === 'liked' && !asksForAside(query)) return ownList(options, request, query, listLiked);
    return forViewer(publicPosts(query), request);
  });
  readable(app, posts.listPosts, ({ query }, from) => publicPosts(query).read(from));

  serve(app, posts.listDiscussed, schema.listDiscussed, ({ query, request }) => forViewer(discussed(query), request));
  readable(app, posts.listDiscussed, async ({ query }, from) => discussed(query).read(from));

  serve(app, posts.getPost, schema.getPost, ({ params, request }) => forViewer(onePost(params), request));
  readable(app, posts.getPost, async ({ params }, from) => onePost(params).read(from));

  serve(app, posts.listReplies, schema.listReplies, ({ params, query, request }) =>
    forViewer(repliesTo(params, query), request),
  );
  readable(app, posts.listReplies, async ({ params, query }, from) => repliesTo(params, query).read(from));

  serve(app, posts.getThread, schema.getThread, ({ params, query, request }) =>
    forViewer(threadOf(params, query), request),
  );
  readable(app, posts.getThread, async ({ params, query }, from) => threadOf(params, query).read(from));

  function publicPosts(query: FeedQuery): Source<posts.PostPage> {
    const hasAside = asksForAside(query);
    const isReplies = query.filter === 'replies';
    if (query.userId === undefined) {
      if (isReplies) throw new ApiError('INVALID_REQUEST', { message: 'Чьи это ответы? Передайте userId.' });
      return feed(feedPlaceOf(query), hasAside);
    }
    const { place, limit, key } = placeOf(query);
    const id = parseId(query.userId);
    if (id === undefined) return list(`of nobody ${limit}`, limit, [], async () => noPosts);
    if (isReplies) {
      return list(`replies of ${id} ${key}`, limit, [`replies-of:${id}`], (from) =>
        listRepliesOf(from, id, place, limit),
      );
    }
    return list(`of ${id} ${key}`, limit, [`posts-of:${id}`], (from) => listPostsOf(from, id, place, limit));
  }

  function feed({ place, limit, key }: ListPlace<FeedPlace>, hasAside: boolean): Source<posts.PostPage> {
    const source = list(`feed ${key}`, limit, ['feed'], (from) => listFeed(from, place, limit));
    if (hasAside) return withAside(source, options);
    return 'page' in place && place.page === 1 ? withPinned(source, now) : source;
  }

  function discussed(query: Pick<ListQuery, 'cursor' | 'limit' | 'aside'>): Source<posts.DiscussedPage> {
    const { place, limit, key } = placeOf(query);
    const read = async (from: Kysely<Schema>) => {
      const { posts: found, liftedBy, next } = await listDiscussed(from, { below: belowOf(place), limit });
      await addLastReplies(from, found, now());
      return {
        reply: { posts: found, lifted_by: liftedBy, next: next === null ? null : toCursor(next) },
        tags: ['discussed' as const, ...tagsOf(found)],
      };
    };
    const source = { key: `discussed ${key}`, read };
    return asksForAside(query) ? withAside(source, options) : source;
  }

  /** A list of posts whose total is known. */
  function list(
    key: string,
    limit: number,
    tags: Tag[],
    find: (from: Kysely<Schema>) => Promise<PostList | undefined>,
  ): Source<posts.PostPage> {
    const read = async (from: Kysely<Schema>) => {
      const page = pageOf(orNotFound(await find(from)), limit);
      await addLastReplies(from, page.posts, now());
      return { reply: page, tags: [...tags, ...tagsOf(page.posts)] };
    };
    return { key, read };
  }

  function onePost(params: { id: string }): Source<posts.Post> {
    const id = idOf(params);
    const read = async (from: Kysely<Schema>) => {
      const post = orNotFound(await findPost(from, id));
      return { reply: post, tags: tagsOf([post]) };
    };
    return { key: `post ${id}`, read };
  }

  function threadOf(params: { id: string }, query: ThreadQuery): Source<posts.Thread> {
    const id = idOf(params);
    const part = partOf(id, query);
    const read = async (from: Kysely<Schema>) => {
      const reply = orNotFound(await findThread(from, id, part));
      return {
        reply,
        get tags() {
          return tagsOfThread(reply);
        },
      };
    };
    return { key: keyOfPart(id, part), read };
  }

  function repliesTo(params: { id: string }, query: ListQuery): Source<posts.PostPage> {
    const { place, limit, key } = placeOf(query);
    const id = idOf(params);
    return list(`replies ${id} ${key}`, limit, [`replies:${id}`, `post:${id}`], (from) =>
      listRepliesTo(from, id, place, limit),
    );
  }

  /** The response that all visitors get is cached; a signed-in viewer's own likes are written into a copy of it. */
  function forViewer(source: Source<PublicReply>, request: FastifyRequest): Cached | Promise<PersonalJson> {
    const { caller } = request;
    const { key } = source;
    const found = cache.get(key);
    // The key of a source may change.
    if (found && !caller) app.fastPath.remember(request, () => cache.find(source.key));
    const cached = found ?? cache.build(key, async (from) => built(await source.read(from))).then(orNotFound);
    return caller ? personal(caller.userId, cached) : cached;
  }

  async function personal(userId: number, cached: Cached): Promise<PersonalJson> {
    return personalTo(userId, db, await cached);
  }
}

type PublicReply = posts.Post | posts.PostPage | posts.DiscussedPage | posts.Thread;

const built = (tagged: TaggedReply<PublicReply>): BuiltResponse<PostsResponse> => ({
  response: new PostsResponse(tagged.reply, postsIn(tagged.reply)),
  // Made only for a response that is cached.
  get tags() {
    return tagged.tags;
  },
});

/** In their order in the body. */
function postsIn(reply: PublicReply): ReadonlyArray<posts.Post | posts.QuotedPost> {
  if ('posts' in reply) return withPinnedLast(reply.posts, reply);
  return 'ancestors' in reply ? postsOfThread(reply) : [reply];
}
