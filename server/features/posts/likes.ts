import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { isIn, states } from '../../db/all-posts.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { recordPostChange } from './post-writes.ts';
import { hasVisibleAuthor } from '../../db/visibility.ts';

const countUsersLikes = prepared<{ userId: number; change: number }, never>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({ likes_count: eb('likes_count', '+', slot('change')) }))
    .where('id', '=', slot('userId')),
);

interface LikeBy {
  postId: number;
  userId: number;
  now: number;
}

const addLike = prepared<LikeBy, { id: number }>((db, slot) =>
  db
    .insertInto('likes')
    .values({ post_id: slot('postId'), user_id: slot('userId'), created_at: slot('now') })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())
    .returning('id'),
);

const removeLike = prepared<Omit<LikeBy, 'now'>, { id: number }>((db, slot) =>
  db.deleteFrom('likes').where('post_id', '=', slot('postId')).where('user_id', '=', slot('userId')).returning('id'),
);

type CountedPost = Pick<
  Selectable<Schema['all_posts']>,
  'id' | 'user_id' | 'replied_post_id' | 'parent_post_id' | 'likes_count' | 'state'
>;

const countingLikes = (condition: RawBuilder<SqlBool>) =>
  prepared<{ id: number; change: 1 | -1 }, CountedPost>((db, slot) =>
    db
      .updateTable('all_posts')
      .set((eb) => ({ likes_count: eb('likes_count', '+', slot('change')) }))
      .where('id', '=', slot('id'))
      .where(condition)
      .returning(['id', 'user_id', 'replied_post_id', 'parent_post_id', 'likes_count', 'state']),
  );

const countLikes = countingLikes(sql`true`);
const countLikesOfVisible = countingLikes(sql`${isIn('shown')} and ${hasVisibleAuthor('all_posts')}`);

/** Resolves to the number of likes. Liking again changes nothing. Undefined when there is no such post. */
export async function likePost(tx: Tx, like: LikeBy): Promise<number | undefined> {
  // The count comes first: it also locks the post until the end of the transaction.
  const [post] = await countLikesOfVisible(tx.db, { id: like.postId, change: 1 });
  if (!post) return undefined;
  const [added] = await addLike(tx.db, like);
  return added ? recordLike(tx, post, like, 1) : countBack(tx, post, -1);
}

export const unlikePost = (tx: Tx, like: LikeBy): Promise<number | undefined> => unlike(tx, like, countLikesOfVisible);

/** Like `unlikePost`, but also finds withdrawn posts and the posts of deleted accounts. */
export const unlikeAnyPost = (tx: Tx, like: LikeBy): Promise<number | undefined> => unlike(tx, like, countLikes);

async function unlike(tx: Tx, like: LikeBy, count: typeof countLikes): Promise<number | undefined> {
  const [post] = await count(tx.db, { id: like.postId, change: -1 });
  if (!post) return undefined;
  const [removed] = await removeLike(tx.db, like);
  return removed ? recordLike(tx, post, like, -1) : countBack(tx, post, 1);
}

async function recordLike(tx: Tx, post: CountedPost, { userId, now }: LikeBy, change: 1 | -1): Promise<number> {
  // The like of a withdrawn post does not count for the person.
  if (post.state !== states.shown) return post.likes_count;
  tx.send(
    countUsersLikes(tx.db, { userId, change }),
    recordPostChange(tx, 'counted', { ...post, user_id: post.user_id! }, now),
  );
  tx.touch(`+post:${post.id}`);
  return post.likes_count;
}

async function countBack(tx: Tx, { id }: CountedPost, change: 1 | -1): Promise<number> {
  // The response to a write has a cookie that makes other processes wait for the write. The response to the request that this one
  // repeats may be lost with its cookie. So this transaction writes too, and its response has a later cookie.
  tx.touch(`+post:${id}`);
  const [post] = await countLikes(tx.db, { id, change });
  return post!.likes_count;
}
