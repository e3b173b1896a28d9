import type { ExpressionBuilder } from 'kysely';
import { addAnswer, removeAnswer } from '../answers/store.ts';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { recordChange } from '../events/store.ts';
import { countRootPost } from './feed-counts.ts';
import { moveLikes } from './move-likes.ts';

export interface NewPost {
  userId: number;
  text: string;
  now: number;
}

interface NewPostRow extends NewPost {
  parentId: number | null;
  repliedTo: number | null;
}

const insertPost = prepared<NewPostRow, { id: number }>((db, slot) =>
  db
    .insertInto('posts')
    .values({
      user_id: slot('userId'),
      text: slot('text'),
      created_at: slot('now'),
      parent_post_id: slot('parentId'),
      replied_post_id: slot('repliedTo'),
    })
    .returning('id'),
);

const counting = (column: 'posts_count' | 'replies_count' | 'likes_count') =>
  prepared<{ userId: number; change: number }, never>((db, slot) =>
    db
      .updateTable('users')
      .set((eb) => ({ [column]: eb(column, '+', slot('change')) }))
      .where('id', '=', slot('userId')),
  );

export const countUsersPosts = counting('posts_count');
export const countUsersReplies = counting('replies_count');
const countUsersLikes = counting('likes_count');

type CountedPost = Pick<Schema['posts'], 'user_id' | 'parent_post_id' | 'replied_post_id'>;

/** Whether a post's author still has the account: what they wrote is cleared away some time after its end. */
const hasAuthor = (eb: ExpressionBuilder<Schema, 'posts'>) =>
  eb.exists(
    eb
      .selectFrom('users')
      .select('users.id')
      .whereRef('users.id', '=', 'posts.user_id')
      .where('users.deleted_at', 'is', null),
  );

const countNewReply = prepared<{ id: number }, CountedPost>((db, slot) =>
  db
    .updateTable('posts')
    .set((eb) => ({ replies_count: eb('replies_count', '+', 1) }))
    .where('id', '=', slot('id'))
    .where(hasAuthor)
    .returning(['user_id', 'parent_post_id', 'replied_post_id']),
);

export const countReplies = prepared<{ id: number; change: number }, CountedPost>((db, slot) =>
  db
    .updateTable('posts')
    .set((eb) => ({ replies_count: eb('replies_count', '+', slot('change')) }))
    .where('id', '=', slot('id'))
    .returning(['user_id', 'parent_post_id', 'replied_post_id']),
);

/** Publishes a root post. */
export async function createPost(tx: Tx, { userId, text, now }: NewPost): Promise<number> {
  const [post] = await insertPost(tx.db, { userId, text, now, parentId: null, repliedTo: null });
  const { id } = post!;
  await countUsersPosts(tx.db, { userId, change: 1 });
  await countRootPost(tx, id, 1);
  await recordChange(tx, { kind: 'new', postId: id, ownerId: userId, repliedTo: null, now });
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
  const [replied] = await countNewReply(tx.db, { id: repliedTo });
  if (!replied) return undefined;
  const parentId = replied.parent_post_id ?? repliedTo;
  const [reply] = await insertPost(tx.db, { userId, text, now, parentId, repliedTo });
  const { id } = reply!;
  const answeredId = replied.user_id === userId ? undefined : replied.user_id;
  await countReply(tx, { id, userId, answeredId });
  await recordChange(tx, { kind: 'new', postId: id, ownerId: userId, repliedTo, answeredId, now });
  tx.touch(`post:${repliedTo}`, `replies:${repliedTo}`);
  return id;
}

/** Counts it for its author and for whom it answers. Two who answer each other take their rows in one order. */
async function countReply(
  tx: Tx,
  reply: { id: number; userId: number; answeredId: number | undefined },
): Promise<void> {
  const { id, userId, answeredId } = reply;
  const countOwn = () => countUsersReplies(tx.db, { userId, change: 1 });
  if (answeredId === undefined || userId < answeredId) await countOwn();
  if (answeredId !== undefined) await addAnswer(tx, { userId: answeredId, postId: id, authorId: userId });
  if (answeredId !== undefined && answeredId < userId) await countOwn();
}

export interface TakenPost {
  id: number;
  user_id: number;
  text: string;
  created_at: number;
  replied_post_id: number | null;
  likes_count: number;
}

const take = prepared<{ id: number }, TakenPost>((db, slot) =>
  db
    .updateTable('posts')
    .set((eb) => ({ likes_count: eb.ref('likes_count') }))
    .where('id', '=', slot('id'))
    .returning(['id', 'user_id', 'text', 'created_at', 'replied_post_id', 'likes_count']),
);

/** Reads a post and holds its row till the end of the transaction: an update that changes nothing locks on both engines. */
export async function takePost(tx: Tx, id: number): Promise<TakenPost | undefined> {
  const [post] = await take(tx.db, { id });
  return post;
}

const lockVisible = prepared<{ id: number }, TakenPost>((db, slot) =>
  db
    .updateTable('posts')
    .set((eb) => ({ likes_count: eb.ref('likes_count') }))
    .where('id', '=', slot('id'))
    .where(hasAuthor)
    .returning(['id', 'user_id', 'text', 'created_at', 'replied_post_id', 'likes_count']),
);

/** The same for what others may like and report: a post whose author has deleted their account is not there for them. */
export async function lockVisiblePost(tx: Tx, id: number): Promise<TakenPost | undefined> {
  const [post] = await lockVisible(tx.db, { id });
  return post;
}

const setText = prepared<{ id: number; text: string }, never>((db, slot) =>
  db
    .updateTable('posts')
    .set({ text: slot('text'), is_modified: 1 })
    .where('id', '=', slot('id')),
);

export async function changeText(tx: Tx, post: TakenPost, text: string, now: number): Promise<void> {
  await setText(tx.db, { id: post.id, text });
  await record(tx, 'changed', post, now);
  tx.touch(`post:${post.id}`);
}

/** Removes a post; its likes follow, what answers it stays. */
export async function deletePost(
  tx: Tx,
  post: TakenPost,
  now: number,
  state: 'deleted' | 'hidden' = 'deleted',
): Promise<void> {
  const { id, replied_post_id: repliedTo, user_id: userId } = post;
  await moveLikes(tx, id, state);
  await tx.db.deleteFrom('posts').where('id', '=', id).execute();
  let answeredId: number | undefined;
  if (repliedTo === null) {
    await countUsersPosts(tx.db, { userId, change: -1 });
    await countRootPost(tx, id, -1);
    tx.touch('feed', `posts-of:${userId}`);
  } else {
    await countUsersReplies(tx.db, { userId, change: -1 });
    await countReplies(tx.db, { id: repliedTo, change: -1 });
    answeredId = await removeAnswer(tx, id);
    tx.touch(`post:${repliedTo}`, `replies:${repliedTo}`);
  }
  await recordChange(tx, { kind: 'deleted', postId: id, ownerId: userId, repliedTo, answeredId, now });
  tx.touch(`post:${id}`);
}

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

const countLikes = prepared<{ id: number; change: number }, { likes_count: number }>((db, slot) =>
  db
    .updateTable('posts')
    .set((eb) => ({ likes_count: eb('likes_count', '+', slot('change')) }))
    .where('id', '=', slot('id'))
    .returning('likes_count'),
);

/** Resolves to the post's likes; liking again changes nothing. Undefined when there is no such post. */
export async function likePost(tx: Tx, like: LikeBy): Promise<number | undefined> {
  const post = await lockVisiblePost(tx, like.postId);
  if (!post) return undefined;
  const [added] = await addLike(tx.db, like);
  return added ? countLike(tx, post, like, 1) : post.likes_count;
}

/** The reverse of likePost. */
export async function unlikePost(tx: Tx, { postId, userId, now }: LikeBy): Promise<number | undefined> {
  const post = await takePost(tx, postId);
  if (!post) return undefined;
  const [removed] = await removeLike(tx.db, { postId, userId });
  return removed ? countLike(tx, post, { postId, userId, now }, -1) : post.likes_count;
}

async function countLike(tx: Tx, post: TakenPost, { userId, now }: LikeBy, change: 1 | -1): Promise<number> {
  await countUsersLikes(tx.db, { userId, change });
  const [counted] = await countLikes(tx.db, { id: post.id, change });
  await record(tx, 'counted', post, now);
  tx.touch(`post:${post.id}`);
  return counted!.likes_count;
}

const record = (
  tx: Tx,
  kind: 'changed' | 'counted',
  { id, user_id, replied_post_id }: TakenPost,
  now: number,
): Promise<void> => recordChange(tx, { kind, postId: id, ownerId: user_id, repliedTo: replied_post_id, now });
