import { type Kysely, type RawBuilder, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Post, QuotedPost } from '#contract/posts.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { countAround, countFeed, feedPostAt } from '../posts/feed-counts.ts';
import {
  type Directions,
  discussionSlices,
  feedSlices,
  likedSlices,
  notificationSlices,
  pageOfList,
  partAbove,
  partBelow,
  repliesOfUserSlices,
  repliesSlices,
  type Slice,
  type SliceQueries,
  top,
  userSlices,
} from './list-pages.ts';
import type { FeedStart, PageStart, PostList } from '../posts/post-rules.ts';
import { type AuthoredRow, type PostRow, selectAuthored, selectPosts, toPost, toQuoted } from '../posts/post-rows.ts';

/** Finds the key that has exactly `skip` newer keys in a list. */
type NthKey<Owner extends string> = (
  db: Kysely<Schema>,
  params: Record<Owner | 'skip', number>,
) => Promise<Array<{ key: number }>>;

function nth<Owner extends string>(
  owner: Owner,
  rowsOf: (owner: number) => RawBuilder<unknown>,
  key = sql.ref('id'),
): NthKey<Owner> {
  return prepared((db, slot) =>
    db
      .selectFrom(
        sql<{ key: number }>`(
          select ${key} as key from ${rowsOf(slot(owner))} order by ${key} desc limit 1 offset ${slot('skip')}
        )`.as('nth'),
      )
      .select('key'),
  );
}

const nthPostOf = nth('userId', (user) => sql`posts where user_id = ${user} and replied_post_id is null`);
const nthReplyTo = nth('postId', (post) => sql`posts where replied_post_id = ${post}`);
const nthReplyOf = nth('userId', (user) => sql`posts where user_id = ${user} and replied_post_id is not null`);
const nthLikedBy = nth(
  'userId',
  (user) => sql`likes l join posts p on p.id = l.post_id where l.user_id = ${user}`,
  sql.ref('l.id'),
);
const nthNotificationOf = nth(
  'userId',
  (user) => sql`notifications n join posts p on p.id = n.post_id where n.user_id = ${user}`,
  sql.ref('n.no'),
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
export async function listFeed(db: Kysely<Schema>, start: FeedStart, limit: number): Promise<PostList> {
  const feed: Directions = {
    below: (slice) => feedSlices.below(db, slice),
    above: (slice) => feedSlices.above(db, slice),
  };
  if ('at' in start) {
    // `newer` counts the posts above `at`. No post lies between `at` and the first post shown, so both have the same count.
    const { total, newer } = await countAround(db, start.at);
    return { ...(await partBelow(feed, start.at + 1, limit, newer > 0)), total, newer };
  }
  const total = await countFeed(db);
  if ('above' in start) return { ...(await partAbove(feed, start.above, limit)), total };
  if ('below' in start) return { ...(await partBelow(feed, start.below, limit, true)), total };
  return { ...(await partBelow(feed, await keyOfPage(db, start.page, limit), limit)), total };
}

/** The page begins below this key. */
async function keyOfPage(db: Kysely<Schema>, page: number, limit: number): Promise<number> {
  if (page === 1) return top;
  const first = await feedPostAt(db, (page - 1) * limit);
  return first === undefined ? 0 : first + 1;
}

type ListOfUser = (db: Kysely<Schema>, userId: number, start: PageStart, limit: number) => Promise<PostList>;

/** A list of one person, with its total in the person's row. */
const listOfUser =
  (total: keyof UserCounts, nthOf: NthKey<'userId'>, { below, above }: SliceQueries<'userId'>): ListOfUser =>
  async (db, userId, start, limit) => {
    const [user] = await userCounts(db, { userId });
    const list = {
      total: user?.[total] ?? 0,
      nth: (skip: number) => nthOf(db, { userId, skip }),
      below: (slice: Slice) => below(db, { userId, ...slice }),
      above: (slice: Slice) => above(db, { userId, ...slice }),
    };
    return pageOfList(list, start, limit);
  };

export const listPostsOf = listOfUser('posts_count', nthPostOf, userSlices);
export const listRepliesOf = listOfUser('replies_count', nthReplyOf, repliesOfUserSlices);
/** Ordered by like, the latest first. */
export const listLiked = listOfUser('likes_count', nthLikedBy, likedSlices);
export const listNotificationsOf = listOfUser('notifications_count', nthNotificationOf, notificationSlices);

/** The replies of a discussion, on any depth, the newest first. `below`: only those with lower ids. */
export function listDiscussion(
  db: Kysely<Schema>,
  { rootId, below = top, limit }: { rootId: number; below: number | undefined; limit: number },
): Promise<Omit<PostList, 'total'>> {
  const replies: Directions = {
    below: (slice) => discussionSlices.below(db, { rootId, ...slice }),
    above: (slice) => discussionSlices.above(db, { rootId, ...slice }),
  };
  return partBelow(replies, below, limit, true);
}

const rootPosts = preparedAmong<number, AuthoredRow>([limits.pageSizeMax], (db, ids) =>
  selectAuthored(db).where('p.id', 'in', ids).orderBy('p.id', 'desc'),
);

/** The root posts of these replies, each once, newest first. Root posts that are gone are left out. */
export async function rootsOf(db: Kysely<Schema>, posts: readonly Post[]): Promise<QuotedPost[]> {
  const ids = [...new Set(posts.map(({ actions }) => actions.parent_post_id).filter((id) => id !== null))];
  return (await rootPosts(db, ids.map(Number))).map(toQuoted);
}

/** The direct replies of a post; undefined when there is no such post. */
export async function listRepliesTo(
  db: Kysely<Schema>,
  postId: number,
  start: PageStart,
  limit: number,
): Promise<PostList | undefined> {
  const [post] = await repliesCount(db, { postId });
  if (!post) return undefined;
  const list = {
    total: post.replies_count,
    nth: (skip: number) => nthReplyTo(db, { postId, skip }),
    below: (slice: Slice) => repliesSlices.below(db, { postId, ...slice }),
    above: (slice: Slice) => repliesSlices.above(db, { postId, ...slice }),
  };
  return pageOfList(list, start, limit);
}

/** `findLiked` is compiled for these two numbers of posts. A response has at most one quoted and one root post for each post. */
const postsOnPage = limits.pageSize;
const postsInResponse = limits.pageSizeMax * 3;

const slotNames = Array.from({ length: postsInResponse }, (_, i) => `id${i}` as const);

/** SQLite sorts an `in` list before it looks up anything; it reads a list of values in half the time. */
const likedAmong = (size: number) =>
  prepared<Record<'userId' | `id${number}`, number>, { id: number }>((db, slot) => {
    const values = slotNames.slice(0, size).map((name) => sql`(cast(${slot(name)} as bigint))`);
    return db
      .selectFrom(sql<{ column1: number }>`(values ${sql.join(values)})`.as('v'))
      .select('v.column1 as id')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('likes')
            .select('likes.id')
            .whereRef('likes.post_id', '=', 'v.column1')
            .where('likes.user_id', '=', slot('userId')),
        ),
      );
  });

const likedAmongFew = likedAmong(postsOnPage);
const likedAmongMany = likedAmong(postsInResponse);

/** Which of these posts the person likes. Unused parameters of the query are 0, which is no post's id. */
export async function findLiked(db: Kysely<Schema>, userId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const size = ids.length <= postsOnPage ? postsOnPage : postsInResponse;
  const params: Record<'userId' | `id${number}`, number> = { userId };
  for (let i = 0; i < size; i += 1) params[slotNames[i]!] = ids[i] ?? 0;
  const rows = await (size === postsOnPage ? likedAmongFew : likedAmongMany)(db, params);
  return new Set(rows.map(({ id }) => id));
}
