import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { type KeyedRow, partBelow, type Slice } from '../lists/list-pages.ts';
import { selectPosts } from '../posts/post-rows.ts';
import type { PostList } from '../posts/post-rules.ts';

interface Bookmark {
  userId: number;
  postId: number;
}

const bySaving = prepared<Slice & { userId: number }, KeyedRow>((db, slot) =>
  selectPosts(db)
    .innerJoin('bookmarks as b', 'b.post_id', 'p.id')
    .select('b.id as key')
    .where('b.user_id', '=', slot('userId'))
    .where('b.id', '<', slot('from'))
    .orderBy('b.id', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** The posts that a person has saved, the latest bookmark first. */
export async function listBookmarked(
  db: Kysely<Schema>,
  { userId, below, limit }: { userId: number; below: number; limit: number },
): Promise<Pick<PostList, 'posts' | 'next'>> {
  const list = { below: (slice: Slice) => bySaving(db, { userId, ...slice }), above: async () => [] };
  const { posts, next } = await partBelow(list, below, limit, false);
  return { posts, next };
}

export async function isBookmarked(db: Kysely<Schema>, { userId, postId }: Bookmark): Promise<boolean> {
  const found = await db
    .selectFrom('bookmarks')
    .select('id')
    .where('user_id', '=', userId)
    .where('post_id', '=', postId)
    .executeTakeFirst();
  return found !== undefined;
}

export async function addBookmark({ db }: Tx, { userId, postId, now }: Bookmark & { now: number }): Promise<void> {
  await db
    .insertInto('bookmarks')
    .values({ user_id: userId, post_id: postId, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'post_id']).doNothing())
    .execute();
}

export async function deleteBookmark({ db }: Tx, { userId, postId }: Bookmark): Promise<void> {
  await db.deleteFrom('bookmarks').where('user_id', '=', userId).where('post_id', '=', postId).execute();
}
