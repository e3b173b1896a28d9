import { type Expression, type Kysely, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { countFeed, feedPostAt } from './feed-counts.ts';
import { type NthKey, nthNotificationOf, nthLikedBy, nthPostOf, nthReplyOf, nthReplyTo } from './nth-keys.ts';
import { type PostRow, selectPosts, selectRootPosts, toPost } from './rows.ts';
import { type Place, type PostList, skippedAtMost } from './rules.ts';

/** A stretch of a list: `limit` posts with ids below `before`, newest first. */
interface Stretch {
  before: number;
  limit: number;
}

const newest = Number.MAX_SAFE_INTEGER;

/** SQLite plans a query again on every run if its limit is a bare parameter. */
const atMost = (limit: number): Expression<number> => sql`${limit} + 0`;

const feedStretch = prepared<Stretch, PostRow>((db, slot) =>
  selectRootPosts(db)
    .where('p.id', '<', slot('before'))
    .orderBy('p.id', 'desc')
    .limit(atMost(slot('limit'))),
);

const userStretch = prepared<Stretch & { userId: number }, PostRow>((db, slot) =>
  selectRootPosts(db)
    .where('p.user_id', '=', slot('userId'))
    .where('p.id', '<', slot('before'))
    .orderBy('p.id', 'desc')
    .limit(atMost(slot('limit'))),
);

const repliesStretch = prepared<Stretch & { postId: number }, PostRow>((db, slot) =>
  selectPosts(db)
    .where('p.replied_post_id', '=', slot('postId'))
    .where('p.id', '<', slot('before'))
    .orderBy('p.id', 'desc')
    .limit(atMost(slot('limit'))),
);

const repliesOfUserStretch = prepared<Stretch & { userId: number }, PostRow>((db, slot) =>
  selectPosts(db)
    .where('p.replied_post_id', 'is not', null)
    .where('p.user_id', '=', slot('userId'))
    .where('p.id', '<', slot('before'))
    .orderBy('p.id', 'desc')
    .limit(atMost(slot('limit'))),
);

const likedStretch = prepared<Stretch & { userId: number }, PostRow & { key: number }>((db, slot) =>
  selectPosts(db)
    .innerJoin('likes as l', 'l.post_id', 'p.id')
    .select('l.id as key')
    .where('l.user_id', '=', slot('userId'))
    .where('l.id', '<', slot('before'))
    .orderBy('l.id', 'desc')
    .limit(atMost(slot('limit'))),
);

const notificationStretch = prepared<Stretch & { userId: number }, PostRow & { key: number }>((db, slot) =>
  selectPosts(db)
    .innerJoin('notifications as n', 'n.post_id', 'p.id')
    .select('n.no as key')
    .where('n.user_id', '=', slot('userId'))
    .where('n.no', '<', slot('before'))
    .orderBy('n.no', 'desc')
    .limit(atMost(slot('limit'))),
);

const postById = prepared<{ id: number }, PostRow>((db, slot) => selectPosts(db).where('p.id', '=', slot('id')));

type UserCounts = Record<'posts_count' | 'replies_count' | 'likes_count' | 'notifications_count', number>;

const userCounts = prepared<{ userId: number }, UserCounts>((db, slot) =>
  db
    .selectFrom('users')
    .select(['posts_count', 'replies_count', 'likes_count', 'notifications_count'])
    .where('id', '=', slot('userId'))
    .where(isNotDeleted('users')),
);

const repliesCount = prepared<{ postId: number }, { replies_count: number }>((db, slot) =>
  db
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select('p.replies_count')
    .where('p.id', '=', slot('postId'))
    .where(isNotDeleted('u')),
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

type ListOfUser = (db: Kysely<Schema>, userId: number, place: Place, limit: number) => Promise<PostList>;

type UserStretch = (
  db: Kysely<Schema>,
  params: Stretch & { userId: number },
) => Promise<Array<PostRow & { key?: number }>>;

/** A list of one person, with its total in the person's row. */
const listOfUser =
  (total: keyof UserCounts, nth: NthKey<'userId'>, read: UserStretch): ListOfUser =>
  async (db, userId, place, limit) => {
    const [user] = await userCounts(db, { userId });
    return listStretch(
      place,
      { limit, total: user?.[total] ?? 0 },
      (skip) => nth(db, { userId, skip }),
      (stretch) => read(db, { userId, ...stretch }),
    );
  };

/** The root posts of one person. */
export const listPostsOf = listOfUser('posts_count', nthPostOf, userStretch);
/** The replies of one person. */
export const listRepliesOf = listOfUser('replies_count', nthReplyOf, repliesOfUserStretch);
/** What one person likes, latest like first. */
export const listLiked = listOfUser('likes_count', nthLikedBy, likedStretch);
/** The replies of which one person is notified. */
export const listNotificationsOf = listOfUser('notifications_count', nthNotificationOf, notificationStretch);

/** The direct replies of a post; undefined when there is no such post. */
export async function listRepliesTo(
  db: Kysely<Schema>,
  postId: number,
  place: Place,
  limit: number,
): Promise<PostList | undefined> {
  const [post] = await repliesCount(db, { postId });
  if (!post) return undefined;
  return listStretch(
    place,
    { limit, total: post.replies_count },
    (skip) => nthReplyTo(db, { postId, skip }),
    (stretch) => repliesStretch(db, { postId, ...stretch }),
  );
}

/** A page of a list that is not counted by ranges. Nothing is read beyond its end or too far down. */
async function listStretch(
  place: Place,
  { limit, total }: { limit: number; total: number },
  nth: (skip: number) => Promise<Array<{ key: number }>>,
  read: (stretch: Stretch) => Promise<Array<PostRow & { key?: number }>>,
): Promise<PostList> {
  const skip = 'after' in place ? 0 : (place.page - 1) * limit;
  if (skip >= total) return { posts: [], total };
  if (skip > skippedAtMost) return { posts: [], total, tooDeep: true };
  let before = 'after' in place ? place.after : newest;
  if (skip > 0) {
    const [first] = await nth(skip);
    if (!first) return { posts: [], total };
    before = first.key + 1;
  }
  const rows = await read({ before, limit: limit + 1 });
  return { posts: rows.map(toPost), total, keys: rows.map(({ id, key }) => key ?? id) };
}

/** The number of posts on a page of root posts, and the largest number of posts and quotes in a response. */
const few = limits.pageSize;
const many = limits.pageSizeMax * 2;

const likedAmong = (size: number) =>
  prepared<Record<'userId' | `id${number}`, number>, { post_id: number }>((db, slot) =>
    db
      .selectFrom('likes')
      .select('post_id')
      .where('user_id', '=', slot('userId'))
      .where(
        'post_id',
        'in',
        Array.from({ length: size }, (_, i) => slot(`id${i}`)),
      ),
  );

const likedAmongFew = likedAmong(few);
const likedAmongMany = likedAmong(many);

/** Which of these posts the person likes. The query is compiled for two sizes; empty places hold no post's id. */
export async function findLiked(db: Kysely<Schema>, userId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const size = ids.length <= few ? few : many;
  const params: Record<'userId' | `id${number}`, number> = { userId };
  for (let i = 0; i < size; i += 1) params[`id${i}`] = ids[i] ?? 0;
  const rows = await (size === few ? likedAmongFew : likedAmongMany)(db, params);
  return new Set(rows.map(({ post_id }) => post_id));
}
