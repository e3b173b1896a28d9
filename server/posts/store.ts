import { type Expression, type Kysely, sql } from 'kysely';
import type { Post } from '#contract/posts.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { countFeed, feedPostAt } from './feed-counts.ts';
import { type PostRow, selectPosts, selectRootPosts, toPost } from './rows.ts';
import type { Place, PostList } from './rules.ts';

/** A stretch of a list: `limit` posts with ids below `before`, newest first. */
interface Stretch {
  before: number;
  limit: number;
}

const newest = Number.MAX_SAFE_INTEGER;

/** SQLite plans a query anew on every run when a bare parameter stands as its limit. */
const atMost = (limit: number): Expression<number> => sql`${limit} + 0`;

const feedStretch = prepared<Stretch, PostRow>((db, slot) =>
  selectRootPosts(db)
    .where('p.id', '<', slot('before'))
    .orderBy('p.id', 'desc')
    .limit(atMost(slot('limit'))),
);

const userStretch = prepared<Stretch & { userId: number; skip: number }, PostRow>((db, slot) =>
  selectRootPosts(db)
    .where('p.user_id', '=', slot('userId'))
    .where('p.id', '<', slot('before'))
    .orderBy('p.id', 'desc')
    .limit(atMost(slot('limit')))
    .offset(slot('skip')),
);

const repliesStretch = prepared<Stretch & { postId: number; skip: number }, PostRow>((db, slot) =>
  selectPosts(db)
    .where('p.replied_post_id', '=', slot('postId'))
    .where('p.id', '<', slot('before'))
    .orderBy('p.id', 'desc')
    .limit(atMost(slot('limit')))
    .offset(slot('skip')),
);

const repliesOfUserStretch = prepared<Stretch & { userId: number; skip: number }, PostRow>((db, slot) =>
  selectPosts(db)
    .where('p.replied_post_id', 'is not', null)
    .where('p.user_id', '=', slot('userId'))
    .where('p.id', '<', slot('before'))
    .orderBy('p.id', 'desc')
    .limit(atMost(slot('limit')))
    .offset(slot('skip')),
);

const likedStretch = prepared<Stretch & { userId: number; skip: number }, PostRow & { like_id: number }>((db, slot) =>
  selectPosts(db)
    .innerJoin('likes as l', 'l.post_id', 'p.id')
    .select('l.id as like_id')
    .where('l.user_id', '=', slot('userId'))
    .where('l.id', '<', slot('before'))
    .orderBy('l.id', 'desc')
    .limit(atMost(slot('limit')))
    .offset(slot('skip')),
);

const answersStretch = prepared<Stretch & { userId: number; skip: number }, PostRow & { no: number }>((db, slot) =>
  selectPosts(db)
    .innerJoin('answers as a', 'a.post_id', 'p.id')
    .select('a.no')
    .where('a.user_id', '=', slot('userId'))
    .where('a.no', '<', slot('before'))
    .orderBy('a.no', 'desc')
    .limit(atMost(slot('limit')))
    .offset(slot('skip')),
);

const postById = prepared<{ id: number }, PostRow>((db, slot) => selectPosts(db).where('p.id', '=', slot('id')));

type UserCounts = Record<'posts_count' | 'replies_count' | 'likes_count' | 'answers_count', number>;

const userCounts = prepared<{ userId: number }, UserCounts>((db, slot) =>
  db
    .selectFrom('users')
    .select(['posts_count', 'replies_count', 'likes_count', 'answers_count'])
    .where('id', '=', slot('userId'))
    .where('deleted_at', 'is', null),
);

const repliesCount = prepared<{ postId: number }, { replies_count: number }>((db, slot) =>
  db
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select('p.replies_count')
    .where('p.id', '=', slot('postId'))
    .where('u.deleted_at', 'is', null),
);

export async function findPost(db: Kysely<Schema>, id: number): Promise<Post | undefined> {
  const [row] = await postById(db, { id });
  return row && toPost(row);
}

/** All root posts. */
export async function listFeed(db: Kysely<Schema>, place: Place, limit: number): Promise<PostList> {
  const total = await countFeed(db);
  const before = await feedStart(db, place, limit);
  if (before === undefined) return { posts: [], total };
  const rows = await feedStretch(db, { before, limit: limit + 1 });
  return { posts: rows.map(toPost), total };
}

async function feedStart(db: Kysely<Schema>, place: Place, limit: number): Promise<number | undefined> {
  if ('after' in place) return place.after;
  if (place.page === 1) return newest;
  const first = await feedPostAt(db, (place.page - 1) * limit);
  return first === undefined ? undefined : first + 1;
}

/** The root posts of one person. */
export async function listPostsOf(db: Kysely<Schema>, userId: number, place: Place, limit: number): Promise<PostList> {
  const [user] = await userCounts(db, { userId });
  if (!user) return { posts: [], total: 0 };
  const rows = await userStretch(db, { userId, ...startOf(place, limit), limit: limit + 1 });
  return { posts: rows.map(toPost), total: user.posts_count };
}

/** What one person has answered to posts. */
export async function listRepliesOf(
  db: Kysely<Schema>,
  userId: number,
  place: Place,
  limit: number,
): Promise<PostList> {
  const [user] = await userCounts(db, { userId });
  const rows = await repliesOfUserStretch(db, { userId, ...startOf(place, limit), limit: limit + 1 });
  return { posts: rows.map(toPost), total: user?.replies_count ?? 0 };
}

/** What one person likes, latest like first. */
export async function listLiked(db: Kysely<Schema>, userId: number, place: Place, limit: number): Promise<PostList> {
  const [user] = await userCounts(db, { userId });
  const rows = await likedStretch(db, { userId, ...startOf(place, limit), limit: limit + 1 });
  return { posts: rows.map(toPost), total: user?.likes_count ?? 0, keys: rows.map(({ like_id }) => like_id) };
}

/** What others have answered to one person. */
export async function listAnswersTo(
  db: Kysely<Schema>,
  userId: number,
  place: Place,
  limit: number,
): Promise<PostList> {
  const [user] = await userCounts(db, { userId });
  const rows = await answersStretch(db, { userId, ...startOf(place, limit), limit: limit + 1 });
  return { posts: rows.map(toPost), total: user?.answers_count ?? 0, keys: rows.map(({ no }) => no) };
}

/** The direct replies of a post; undefined when there is no such post. */
export async function listRepliesTo(
  db: Kysely<Schema>,
  postId: number,
  place: Place,
  limit: number,
): Promise<PostList | undefined> {
  const [post] = await repliesCount(db, { postId });
  if (!post) return undefined;
  const rows = await repliesStretch(db, { postId, ...startOf(place, limit), limit: limit + 1 });
  return { posts: rows.map(toPost), total: post.replies_count };
}

/** One person's list is short enough to skip pages in; the web app goes by cursor. */
const startOf = (place: Place, limit: number): { before: number; skip: number } =>
  'after' in place ? { before: place.after, skip: 0 } : { before: newest, skip: (place.page - 1) * limit };
