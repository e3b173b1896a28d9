import type { Tx } from '../db/database.ts';
import { countRootPost } from './feed-counts.ts';

interface NewPost {
  userId: number;
  text: string;
  now: number;
}

/** Publishes a root post. */
export async function createPost(tx: Tx, { userId, text, now }: NewPost): Promise<number> {
  const { id } = await tx.db
    .insertInto('posts')
    .values({ user_id: userId, text, created_at: now, parent_post_id: null, replied_post_id: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.db
    .updateTable('users')
    .set((eb) => ({ posts_count: eb('posts_count', '+', 1) }))
    .where('id', '=', userId)
    .execute();
  await countRootPost(tx, id, 1);
  tx.touch('feed', `posts-of:${userId}`);
  return id;
}

/** Answers a post; undefined when it is not there. */
export async function createReply(
  tx: Tx,
  repliedTo: number,
  { userId, text, now }: NewPost,
): Promise<number | undefined> {
  // Counting first also takes the answered post's row: it cannot be deleted meanwhile.
  const replied = await tx.db
    .updateTable('posts')
    .set((eb) => ({ replies_count: eb('replies_count', '+', 1) }))
    .where('id', '=', repliedTo)
    .returning('parent_post_id')
    .executeTakeFirst();
  if (!replied) return undefined;
  const { id } = await tx.db
    .insertInto('posts')
    .values({
      user_id: userId,
      text,
      created_at: now,
      parent_post_id: replied.parent_post_id ?? repliedTo,
      replied_post_id: repliedTo,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.db
    .updateTable('users')
    .set((eb) => ({ replies_count: eb('replies_count', '+', 1) }))
    .where('id', '=', userId)
    .execute();
  tx.touch(`post:${repliedTo}`, `replies:${repliedTo}`);
  return id;
}

/** Removes a post with its likes; what answers it stays. False when it is not there. */
export async function deletePost(tx: Tx, id: number): Promise<boolean> {
  const post = await takePost(tx, id);
  if (!post) return false;
  const likers = tx.db.selectFrom('likes').select('user_id').where('post_id', '=', id);
  await tx.db
    .updateTable('users')
    .set((eb) => ({ likes_count: eb('likes_count', '-', 1) }))
    .where('id', 'in', likers)
    .execute();
  await tx.db.deleteFrom('likes').where('post_id', '=', id).execute();
  await tx.db.deleteFrom('posts').where('id', '=', id).execute();
  const { replied_post_id: repliedTo, user_id: userId } = post;
  await tx.db
    .updateTable('users')
    .set((eb) =>
      repliedTo === null ? { posts_count: eb('posts_count', '-', 1) } : { replies_count: eb('replies_count', '-', 1) },
    )
    .where('id', '=', userId)
    .execute();
  if (repliedTo === null) {
    await countRootPost(tx, id, -1);
    tx.touch('feed', `posts-of:${userId}`);
  } else {
    await tx.db
      .updateTable('posts')
      .set((eb) => ({ replies_count: eb('replies_count', '-', 1) }))
      .where('id', '=', repliedTo)
      .execute();
    tx.touch(`post:${repliedTo}`, `replies:${repliedTo}`);
  }
  tx.touch(`post:${id}`);
  return true;
}

interface LikeBy {
  postId: number;
  userId: number;
}

/** Resolves to the post's likes; liking again changes nothing. Undefined when there is no such post. */
export async function likePost(tx: Tx, { postId, userId }: LikeBy, now: number): Promise<number | undefined> {
  const post = await takePost(tx, postId);
  if (!post) return undefined;
  const added = await tx.db
    .insertInto('likes')
    .values({ post_id: postId, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added ? countLike(tx, { postId, userId }, 1) : post.likes_count;
}

/** The reverse of likePost. */
export async function unlikePost(tx: Tx, { postId, userId }: LikeBy): Promise<number | undefined> {
  const post = await takePost(tx, postId);
  if (!post) return undefined;
  const removed = await tx.db
    .deleteFrom('likes')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return removed ? countLike(tx, { postId, userId }, -1) : post.likes_count;
}

async function countLike(tx: Tx, { postId, userId }: LikeBy, change: 1 | -1): Promise<number> {
  await tx.db
    .updateTable('users')
    .set((eb) => ({ likes_count: eb('likes_count', '+', change) }))
    .where('id', '=', userId)
    .execute();
  const { likes_count } = await tx.db
    .updateTable('posts')
    .set((eb) => ({ likes_count: eb('likes_count', '+', change) }))
    .where('id', '=', postId)
    .returning('likes_count')
    .executeTakeFirstOrThrow();
  tx.touch(`post:${postId}`);
  return likes_count;
}

/** Reads a post and holds its row till the end of the transaction: an update that changes nothing locks on both engines. */
function takePost(tx: Tx, id: number) {
  return tx.db
    .updateTable('posts')
    .set((eb) => ({ likes_count: eb.ref('likes_count') }))
    .where('id', '=', id)
    .returning(['user_id', 'replied_post_id', 'likes_count'])
    .executeTakeFirst();
}
