import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type * as notifications from '#contract/notifications.ts';
import type * as posts from '#contract/posts.ts';
import type { Aside, Post } from '#contract/posts.ts';
import type { Database, Tag } from '../../../db/database.ts';
import { parseId } from '../../../db/ids.ts';
import type { Schema } from '../../../db/schema.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import { readable, type TaggedReply } from '../../../http/readable.ts';
import type { BuiltResponse, ResponseCache } from '../../../http/response-cache.ts';
import type { PersonalJson } from '../../../http/response.ts';
import { idOf, orInvalid, orNotFound, serve } from '../../../http/serve.ts';
import type { VisitorShare } from '../../../limits/read-shares-http.ts';
import { countUnreadPosts } from '../../notifications/notification-store.ts';
import { callerOf } from '../../sessions/session-http.ts';
import { listBest, readBestPart } from '../../lists/best.ts';
import { addLastReplies, listDiscussed } from '../../lists/discussed.ts';
import { listWaiting } from '../first-posts.ts';
import { listFollowed } from '../../following/following.ts';
import { followedIn } from '../../words/word-store.ts';
import {
  asksForAside,
  belowOf,
  feedPartOf,
  type FeedQuery,
  pageOf,
  partOf,
  personalTo,
  listPartOf,
  PostsResponse,
  withMayEdit,
  withPinnedLast,
} from './list-http.ts';
import { top } from '../../lists/list-pages.ts';
import { listRestorable } from '../own-deletion.ts';
import { nameMentioned } from '../../../names/mentioned.ts';
import { listPendingOf } from '../pending-posts.ts';
import { findPinned } from '../../lists/pinned.ts';
import { listRemovedPostsOf } from '../removed-posts.ts';
import { tagsOf } from '../post-rows.ts';
import {
  asideLines,
  type FeedStart,
  type ListPart,
  type ListQuery,
  type PostList,
  toCursor,
  toLine,
} from '../post-rules.ts';
import {
  findPost,
  listFeed,
  listLiked,
  listNotificationsOf,
  listPostsOf,
  listRepliesOf,
  listRepliesTo,
  rootsOf,
} from '../../lists/post-lists.ts';
import { keyOfPart, postsOfThread, type ThreadQuery } from '../../threads/thread-rules.ts';
import { findThread, tagsOfThread } from '../../threads/thread.ts';

/** A public reply: its key in the cache, and how to read it from the primary or a replica. */
interface Source<Reply> {
  readonly key: string;
  read(from: Kysely<Schema>): Promise<TaggedReply<Reply>>;
}

/** The parts beside the feed, as visitors get them. */
interface Beside {
  pinned: Post | null;
  /** The last field of a response, because the reader's followed discussions are written into the end of its bytes. */
  aside: Aside;
}

interface AsideOptions {
  wallTexts: { about(): string | null; version(): number };
  /** Unix seconds. */
  now: () => number;
}

/** Names the people whom the shown posts mention. The response depends on these people and posts, and on the given tags. */
async function tagged<Reply>(
  from: Kysely<Schema>,
  { reply, shown, tags = [] }: { reply: Reply; shown: readonly Post[]; tags?: readonly Tag[] },
): Promise<TaggedReply<Reply>> {
  const named = await nameMentioned(from, shown);
  return {
    reply,
    // A getter, because tags are needed only for a response that is cached.
    get tags() {
      return [...tags, ...tagsOf(shown), ...named];
    },
  };
}

/** Adds the pinned post. The list has the tag `feed`, which is touched when another post is pinned. */
function withPinned<Reply>({ key, read }: Source<Reply>, now: () => number): Source<Reply & { pinned: Post | null }> {
  const readBoth = async (from: Kysely<Schema>) => {
    const [{ reply, tags }, found] = await Promise.all([read(from), findPinned(from, now())]);
    const pinned = found?.post ?? null;
    return tagged(from, { reply: { ...reply, pinned }, shown: pinned ? [pinned] : [], tags });
  };
  return { key, read: readBoth };
}

/** Adds the right column to the first page of a list. The operator's texts have no tag, so their version is in the key. */
function withAside<Reply>({ key, read }: Source<Reply>, options: AsideOptions): Source<Reply & Beside> {
  return {
    get key() {
      return `aside ${options.wallTexts.version()} ${key}`;
    },
    async read(from) {
      const [list, beside] = await Promise.all([read(from), readBeside(from, options)]);
      return { reply: { ...list.reply, ...beside.reply }, tags: [...list.tags, ...beside.tags] };
    },
  };
}

async function readBeside(from: Kysely<Schema>, { wallTexts, now }: AsideOptions): Promise<TaggedReply<Beside>> {
  const [found, { posts, liftedBy }] = await Promise.all([
    findPinned(from, now()),
    listDiscussed(from, { below: top, limit: asideLines }),
  ]);
  const pinned = found?.post ?? null;
  const discussed = posts.map(({ id, owner, text, actions }, i) => ({
    ...toLine({ id: Number(id), user_id: Number(owner.id), text }),
    lifted_by: liftedBy[i]!,
    thread_count: actions.thread_count ?? 0,
  }));
  const reply = { pinned, aside: { discussed, about: wallTexts.about(), following: [] } };
  return tagged(from, { reply, shown: pinned ? [pinned] : [], tags: ['feed', 'discussed', ...tagsOf(posts)] });
}

interface OwnListOptions extends AsideOptions {
  db: Database;
}

/** Lists that only the caller may see. They are never cached. */
export function ownListRoutes(app: FastifyInstance, options: OwnListOptions): void {
  const { db, now } = options;

  serve(app, 'GET /posts/waiting', async ({ request }) => ({
    posts: await listWaiting(db.read, callerOf(request).userId, now()),
  }));

  serve(app, 'GET /posts/replies', ({ query, request }) => ownList(options, request, query, listRepliesOf));

  serve(app, 'GET /users/current/notifications', async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { start, limit } = listPartOf(query);
    const found = await listNotificationsOf(db.read, userId, start, limit);
    const page = pageOf(found, limit);
    const roots = await rootsOf(db.read, page.posts);
    await nameMentioned(db.read, [...page.posts, ...roots]);
    const { kinds = [], unread: news = [] } = found;
    const texts = page.posts.map(({ text }, i) => (kinds[i] === 'word' ? text : ''));
    const words = kinds.includes('word') ? await followedIn(db.read, userId, texts) : texts.map(() => null);
    const reply = { ...page, kinds, words, news, roots, unread: await countUnreadPosts(db.read, userId) };
    return personalTo(userId, db, new PostsResponse(reply, [...page.posts, ...roots]));
  });

  serve(app, 'GET /users/current/following', async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { start, limit } = listPartOf(query);
    const { discussions, next } = await listFollowed(db.read, { userId, below: belowOf(start), limit });
    const beside = asksForAside(query) ? (await readBeside(db.read, options)).reply : {};
    const reply: notifications.FollowedPage = { discussions, next: next === null ? null : toCursor(next), ...beside };
    const shown = discussions.map(({ post }) => post);
    await nameMentioned(db.read, shown);
    return personalTo(userId, db, new PostsResponse(reply, withPinnedLast(shown, reply)));
  });

  serve(app, 'GET /posts/removed', async ({ request }) => {
    const { userId } = callerOf(request);
    return {
      posts: await listRemovedPostsOf(db.read, userId),
      deleted: await listRestorable(db.read, { userId, now: now() }),
      pending: await listPendingOf(db.read, userId),
    };
  });
}

async function ownList(
  { db, now }: OwnListOptions,
  request: FastifyRequest,
  query: ListQuery,
  read: typeof listLiked,
): Promise<PersonalJson> {
  const { userId } = callerOf(request);
  const { start, limit } = listPartOf(query);
  const page = pageOf(await read(db.read, userId, start, limit), limit);
  await addLastReplies(db.read, page.posts, now());
  await nameMentioned(db.read, page.posts);
  return personalTo(userId, db, new PostsResponse(page, page.posts));
}

const noPosts: PostList = { posts: [], total: 0, next: null, previous: null };

export interface PostOptions extends OwnListOptions {
  cache: ResponseCache<PostsResponse>;
  visitors: VisitorShare;
}

type Cached = PostsResponse | Promise<PostsResponse>;
/** Adds what only one person gets. */
type Finish = (userId: number, json: PersonalJson) => PersonalJson | Promise<PersonalJson>;

export function postRoutes(app: FastifyInstance, options: PostOptions): void {
  const { db, cache, visitors, now } = options;
  serve(app, 'GET /posts', ({ query, request }) => {
    if (query.filter === 'liked' && !asksForAside(query)) return ownList(options, request, query, listLiked);
    return forViewer(publicPosts(query), request);
  });
  readable(app, 'GET /posts', ({ query }, from) => publicPosts(query).read(from));

  serve(app, 'GET /posts/discussed', ({ query, request }) => forViewer(discussed(query), request));
  readable(app, 'GET /posts/discussed', async ({ query }, from) => discussed(query).read(from));

  serve(app, 'GET /posts/best', ({ query, request }) => forViewer(best(query), request));
  readable(app, 'GET /posts/best', async ({ query }, from) => best(query).read(from));

  serve(app, 'GET /posts/{id}', ({ params, request }) =>
    forViewer(onePost(params), request, (userId, json) => withMayEdit(db, { id: idOf(params), userId }, json)),
  );
  readable(app, 'GET /posts/{id}', async ({ params }, from) => onePost(params).read(from));

  serve(app, 'GET /posts/{id}/replies', ({ params, query, request }) => forViewer(repliesTo(params, query), request));
  readable(app, 'GET /posts/{id}/replies', async ({ params, query }, from) => repliesTo(params, query).read(from));

  serve(app, 'GET /posts/{id}/thread', ({ params, query, request }) => forViewer(threadOf(params, query), request));
  readable(app, 'GET /posts/{id}/thread', async ({ params, query }, from) => threadOf(params, query).read(from));

  function publicPosts(query: FeedQuery): Source<posts.PostPage> {
    const hasAside = asksForAside(query);
    const isReplies = query.filter === 'replies';
    if (!query.userId) {
      if (isReplies) throw new ApiError('INVALID_REQUEST', { message: 'Чьи это ответы? Передайте userId.' });
      return feed(feedPartOf(query), hasAside);
    }
    const { start, limit, key } = listPartOf(query);
    const id = parseId(query.userId);
    if (id === undefined) return list(`of nobody ${limit}`, limit, [], async () => noPosts);
    if (isReplies) {
      return list(`replies of ${id} ${key}`, limit, [`replies-of:${id}`], (from) =>
        listRepliesOf(from, id, start, limit),
      );
    }
    return list(`of ${id} ${key}`, limit, [`posts-of:${id}`], (from) => listPostsOf(from, id, start, limit));
  }

  function feed({ start, limit, key }: ListPart<FeedStart>, hasAside: boolean): Source<posts.PostPage> {
    const source = list(`feed ${key}`, limit, ['feed'], (from) => listFeed(from, start, limit));
    if (hasAside) return withAside(source, options);
    return 'page' in start && start.page === 1 ? withPinned(source, now) : source;
  }

  function discussed(query: Pick<ListQuery, 'cursor' | 'limit' | 'aside'>): Source<posts.DiscussedPage> {
    const { start, limit, key } = listPartOf(query);
    const read = async (from: Kysely<Schema>) => {
      const { posts: found, liftedBy, next } = await listDiscussed(from, { below: belowOf(start), limit });
      await addLastReplies(from, found, now());
      const reply = { posts: found, lifted_by: liftedBy, next: next === null ? null : toCursor(next) };
      return tagged(from, { reply, shown: found, tags: ['discussed'] });
    };
    const source = { key: `discussed ${key}`, read };
    return asksForAside(query) ? withAside(source, options) : source;
  }

  function best(query: Parameters<typeof readBestPart>[0]): Source<posts.BestPage> {
    const part = orInvalid(readBestPart(query));
    const read = async (from: Kysely<Schema>) => {
      const reply = await listBest(from, part);
      await addLastReplies(from, reply.posts, now());
      return tagged(from, { reply, shown: reply.posts, tags: ['best'] });
    };
    return { key: `best ${part.key}`, read };
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
      return tagged(from, { reply: page, shown: page.posts, tags });
    };
    return { key, read };
  }

  function onePost(params: { id: string }): Source<posts.Post> {
    const id = idOf(params);
    const read = async (from: Kysely<Schema>) => {
      const post = orNotFound(await findPost(from, id));
      return tagged(from, { reply: post, shown: [post] });
    };
    return { key: `post ${id}`, read };
  }

  function threadOf(params: { id: string }, query: ThreadQuery): Source<posts.Thread> {
    const id = idOf(params);
    const part = partOf(id, query);
    const read = async (from: Kysely<Schema>) => {
      const reply = orNotFound(await findThread(from, id, part));
      const named = await nameMentioned(from, postsOfThread(reply));
      return {
        reply,
        get tags() {
          return [...tagsOfThread(reply), ...named];
        },
      };
    };
    return { key: keyOfPart(id, part), read };
  }

  function repliesTo(params: { id: string }, query: ListQuery): Source<posts.PostPage> {
    const { start, limit, key } = listPartOf(query);
    const id = idOf(params);
    return list(`replies ${id} ${key}`, limit, [`replies:${id}`, `post:${id}`], (from) =>
      listRepliesTo(from, id, start, limit),
    );
  }

  /** The response that all visitors get is cached; a signed-in viewer's own likes are written into a copy of it. */
  function forViewer(
    source: Source<PublicReply>,
    request: FastifyRequest,
    finish: Finish = (_, json) => json,
  ): Cached | Promise<PersonalJson> {
    const { caller } = request;
    const { key } = source;
    const found = cache.get(key);
    // The key contains the version of the wall's texts, so a later request may have another key.
    if (found && !caller) app.fastPath.remember(request, () => cache.find(source.key));
    const make = () => cache.build(key, async (from) => built(await source.read(from))).then(orNotFound);
    const cached = found ?? visitors.read(caller !== undefined || cache.isCheap(key), make);
    return caller ? personal(caller.userId, cached, finish) : cached;
  }

  async function personal(userId: number, cached: Cached, finish: Finish): Promise<PersonalJson> {
    return finish(userId, await personalTo(userId, db, await cached));
  }
}

type PublicReply = posts.Post | posts.PostPage | posts.DiscussedPage | posts.BestPage | posts.Thread;

const built = (found: TaggedReply<PublicReply>): BuiltResponse<PostsResponse> => ({
  response: new PostsResponse(found.reply, postsIn(found.reply)),
  get tags() {
    return found.tags;
  },
});

/** The posts in the order of the JSON body. */
function postsIn(reply: PublicReply): ReadonlyArray<posts.Post | posts.QuotedPost> {
  if ('posts' in reply) return withPinnedLast(reply.posts, 'pinned' in reply ? reply : {});
  return 'ancestors' in reply ? postsOfThread(reply) : [reply];
}
