import type { Selectable } from 'kysely';
import { notifyOfPost, notifyOfReply } from '../notifications/recipients.ts';
import type { Post } from '#contract/posts.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasVisibleAuthor } from '../../db/visibility.ts';
import { recordChange } from '../../live/change-log.ts';
import { addToIndex, changeIndex } from '../../search/post-words.ts';
import { noteReply, reviseDiscussion } from './discussions.ts';
import { forgetPost } from './shared-posts.ts';
import { countRootPost } from './feed-counts.ts';
import { noteFirst } from './first-posts.ts';
import { type ReplyRefusal, refusalOfReply } from './reply-rules.ts';
import { moveLikes } from './move-likes.ts';
import {
  type AuthoredRow,
  authorColumns,
  contentOf,
  insertPost,
  type Names,
  type NewPost,
  newRow,
  toPost,
  toPostWith,
  ruleColumns,
} from './post-rows.ts';
import { countReplyIn, leaveThread } from './thread-counts.ts';

export const countingOfUser = (column: 'posts_count' | 'replies_count' | 'likes_count') =>
  prepared<{ userId: number; change: number }, never>((db, slot) =>
    db
      .updateTable('users')
      .set((eb) => ({ [column]: eb(column, '+', slot('change')) }))
      .where('id', '=', slot('userId')),
  );

export const countUsersPosts = countingOfUser('posts_count');
export const countUsersReplies = countingOfUser('replies_count');

type Author = Names & Pick<Selectable<Schema['users']>, 'deleted_at'>;

/** Counts a new post in its author's row. */
const countAuthor = (column: 'posts_count' | 'replies_count') =>
  prepared<{ userId: number }, Author>((db, slot) =>
    db
      .updateTable('users')
      .set((eb) => ({ [column]: eb(column, '+', 1) }))
      .where('id', '=', slot('userId'))
      .returning([...authorColumns, 'deleted_at']),
  );

const countAuthorsPost = countAuthor('posts_count');
const countAuthorsReply = countAuthor('replies_count');

/** `post` resolves to what a query after the commit would find. */
export interface Published {
  id: number;
  post: Promise<Post | undefined>;
}

const asRoot = { parentId: null, repliedTo: null, depth: 0 };

/** Publishes a root post. */
export async function publishPost(tx: Tx, written: NewPost): Promise<Published> {
  const { userId, text, now } = written;
  const [inserted] = await insertPost(tx.db, { userId, now, ...contentOf(written), ...asRoot });
  const { id } = inserted!;
  addToIndex(tx, { id, user_id: userId, text });
  // This comes before the author is counted: it locks the rows of the author and the notified people in the order of ids, so that
  // transactions do not deadlock.
  await notifyOfPost(tx, { postId: id, authorId: userId, rootId: id, text });
  // The response needs `post` only after the commit, so the query is not awaited here.
  const post = ownRow(countAuthorsPost(tx.db, { userId }), { id, ...written }).then((row) => row && toPost(row));
  tx.send(
    post,
    noteFirst(tx.db, { id, userId, now }),
    countRootPost(tx, id, 1),
    recordChange(tx, { kind: 'new', postId: id, ownerId: userId, repliedTo: null, rootId: null, now }),
  );
  tx.touch('+feed', `+posts-of:${userId}`);
  return { id, post };
}

/** The row of a new post; undefined when the author has deleted the account. */
async function ownRow(counted: Promise<Author[]>, written: NewPost & { id: number }): Promise<AuthoredRow | undefined> {
  const [author] = await counted;
  return author!.deleted_at === null ? newRow(written, author!) : undefined;
}

/** Resolves to the id of the post. */
export const createPost = async (tx: Tx, post: NewPost): Promise<number> => (await publishPost(tx, post)).id;

/** Publishes a reply. When the reply is refused, the caller must roll back the transaction. */
export async function publishReply(
  tx: Tx,
  repliedTo: number,
  written: NewPost,
  wallPace = 0,
): Promise<Published | ReplyRefusal> {
  const { userId, text, now, wasPending = false } = written;
  // The count also locks the replied post, so that it cannot be deleted concurrently.
  const replied = await countReplyIn(tx, repliedTo);
  if (!replied) return { refused: 'missing' };
  const { rootId, root, rules, ...repliedPost } = replied;
  // `countReplyIn` has locked the root, so its rules cannot change concurrently.
  const observed = wasPending ? { ...rules, pace: 0 } : rules;
  const refusal = await refusalOfReply(tx, { ...observed, rootId, wallPace, userId, rootOwnerId: root?.user_id, now });
  if (refusal) return refusal;
  const asReply = { parentId: rootId, repliedTo, depth: repliedPost.depth + 1 };
  const [inserted] = await insertPost(tx.db, { userId, now, ...contentOf(written), ...asReply });
  const { id } = inserted!;
  addToIndex(tx, { id, user_id: userId, text });
  const lifts = noteReply(tx, { id, rootId, userId, now }, root !== undefined && rules.closed_by !== 'author');
  // This comes before the author is counted, as in `publishPost`.
  await notifyOfReply(tx, {
    postId: id,
    authorId: userId,
    rootId,
    text,
    repliedOwnerId: repliedPost.user_id,
    rootOwnerId: root?.user_id,
  });
  const place = { parent_post_id: rootId, replied_post_id: repliedTo };
  const post = ownRow(countAuthorsReply(tx.db, { userId }), { id, ...written }).then(
    (row) => row && toPostWith({ ...row, ...place }, repliedPost),
  );
  tx.send(post, recordChange(tx, { kind: 'new', postId: id, ownerId: userId, repliedTo, rootId, now }));
  touchThread(tx, { userId, repliedTo, rootId }, '+');
  if (await lifts) tx.touch('+discussed');
  return { id, post };
}

/** Resolves to the id of the reply; undefined when the reply is refused. */
export async function createReply(tx: Tx, repliedTo: number, post: NewPost): Promise<number | undefined> {
  const published = await publishReply(tx, repliedTo, post);
  return 'refused' in published ? undefined : published.id;
}

/**
 * Touches the post that is replied to and the root, because a reply changes the counts of both. Every response about the
 * thread has the tag of the root.
 */
export function touchThread(
  tx: Tx,
  { userId, repliedTo, rootId }: { userId: number; repliedTo: number; rootId: number },
  kind: '' | '+' = '',
): void {
  tx.touch(`${kind}post:${repliedTo}`, `${kind}replies:${repliedTo}`, `${kind}replies-of:${userId}`);
  if (rootId !== repliedTo) tx.touch(`${kind}post:${rootId}`);
}

const place = ['parent_post_id', 'replied_post_id', 'depth', ...ruleColumns] as const;
const counts = ['likes_count', 'replies_count', 'gaps_count', 'thread_count'] as const;
const lockedColumns = ['id', 'user_id', 'text', 'created_at', ...place, ...counts] as const;

export type LockedPost = Pick<Selectable<Schema['posts']>, (typeof lockedColumns)[number]>;

const locking = (isForOthers: boolean) =>
  prepared<{ id: number }, LockedPost>((db, slot) =>
    db
      .updateTable('posts')
      .set((eb) => ({ likes_count: eb.ref('likes_count') }))
      .where('id', '=', slot('id'))
      .$if(isForOthers, (query) => query.where(hasVisibleAuthor))
      .returning(lockedColumns),
  );

const lock = locking(false);
const lockVisible = locking(true);

/** Reads a post and locks its row until the end of the transaction: an update without a change locks on both engines. */
export async function lockPost(tx: Tx, id: number): Promise<LockedPost | undefined> {
  const [post] = await lock(tx.db, { id });
  return post;
}

/** Like `lockPost`, but does not find the post of a deleted account. */
export async function lockVisiblePost(tx: Tx, id: number): Promise<LockedPost | undefined> {
  const [post] = await lockVisible(tx.db, { id });
  return post;
}

const setText = prepared<{ id: number; text: string; now: number }, never>((db, slot) =>
  db
    .updateTable('posts')
    .set({ text: slot('text'), modified_at: slot('now') })
    .where('id', '=', slot('id')),
);

export async function changeText(tx: Tx, post: LockedPost, text: string, now: number): Promise<void> {
  await setText(tx.db, { id: post.id, text, now });
  await changeIndex(tx, post, { ...post, text });
  await recordPostChange(tx, 'changed', post, now);
  tx.touch(`post:${post.id}`);
}

/** Deletes a post; its replies stay. In the state `removed` its likes and notifications are kept so that it can be restored. */
export async function deletePost(
  tx: Tx,
  post: LockedPost,
  now: number,
  state: 'deleted' | 'removed' = 'deleted',
): Promise<void> {
  const { id, replied_post_id: repliedTo, parent_post_id: rootId, user_id: userId } = post;
  await leaveThread(tx, post);
  await moveLikes(tx, id, state);
  await tx.db.deleteFrom('posts').where('id', '=', id).execute();
  if (state === 'deleted') await forgetPost(tx, id);
  if (rootId !== null || post.thread_count > 0) await reviseDiscussion(tx, rootId ?? id);
  await changeIndex(tx, post, null);
  if (repliedTo === null || rootId === null) {
    await countUsersPosts(tx.db, { userId, change: -1 });
    await countRootPost(tx, id, -1);
    tx.touch('feed', `posts-of:${userId}`);
  } else {
    await countUsersReplies(tx.db, { userId, change: -1 });
    touchThread(tx, { userId, repliedTo, rootId });
  }
  await recordChange(tx, { kind: 'deleted', postId: id, ownerId: userId, repliedTo, rootId, now });
  tx.touch(`post:${id}`);
}

export const recordPostChange = (
  tx: Tx,
  kind: 'changed' | 'counted',
  post: Pick<LockedPost, 'id' | 'user_id' | 'replied_post_id' | 'parent_post_id'>,
  now: number,
): Promise<void> => {
  const { id: postId, user_id: ownerId, replied_post_id: repliedTo, parent_post_id: rootId } = post;
  return recordChange(tx, { kind, postId, ownerId, repliedTo, rootId, now });
};
