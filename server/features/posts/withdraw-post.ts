import type { Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { recordChange } from '../../live/change-log.ts';
import { changeIndex } from '../../search/post-words.ts';
import { sumUnread } from '../notifications/notified-people.ts';
import { reviseDiscussion } from './discussions.ts';
import { countRootPost } from './feed-counts.ts';
import { moveLikes } from './move-likes.ts';
import { storedColumns } from './post-rows.ts';
import { type ChangedPost, rejoinThread } from './thread-counts.ts';
import { countUsersPosts, countUsersReplies, deletePost, type LockedPost, touchThread } from './post-writes.ts';

type WithdrawnPost = Selectable<Schema['removed_posts']>;

interface Withdrawal {
  now: number;
  by: 'author' | 'operator';
  /** Shown to the author. */
  reason?: string;
  /** Whether the post is removed because its author is blocked. */
  withBlock?: boolean;
}

/**
 * Moves a post to `removed_posts`. A removal by a moderator and a deletion by the author both withdraw a post, and
 * `restorePost` reverses it.
 */
export async function withdrawPost(
  tx: Tx,
  post: LockedPost,
  { now, by, reason = '', withBlock = false }: Withdrawal,
): Promise<void> {
  const { id } = post;
  // A blocked author learns the reason from the block, so the posts removed with it need no notification.
  const isUnseen = by === 'operator' && !withBlock;
  const stored = await tx.db.selectFrom('posts').select(storedColumns).where('id', '=', id).executeTakeFirstOrThrow();
  await tx.db
    .insertInto('removed_posts')
    .values({
      ...stored,
      removed_at: now,
      reason,
      with_block: withBlock ? 1 : 0,
      by_author: by === 'author' ? 1 : 0,
      unseen: isUnseen ? 1 : 0,
    })
    .execute();
  await deletePost(tx, post, now, 'removed');
  if (isUnseen) await sumUnread(tx, post.user_id);
}

/** Restores a withdrawn post if `mayRestore` allows it, with its notifications and the likes of people who still have an account. */
export async function restorePost(
  tx: Tx,
  id: number,
  now: number,
  mayRestore: (post: WithdrawnPost) => boolean,
): Promise<'restored' | 'not removed' | 'author gone'> {
  const post = await lockWithdrawnPost(tx, id);
  if (!post || !mayRestore(post)) return 'not removed';
  if (!(await hasAuthor(tx, post))) return 'author gone';
  const { counts, above } = await rejoinThread(tx, post);
  await tx.db
    .insertInto('posts')
    .values({ ...storedOf(post), ...counts })
    .execute();
  if (post.replied_post_id !== null || counts.thread_count > 0) await reviseDiscussion(tx, post.parent_post_id ?? id);
  await changeIndex(tx, null, post);
  await moveLikes(tx, id, 'shown');
  await tx.db.deleteFrom('removed_posts').where('id', '=', id).execute();
  const { user_id: ownerId, replied_post_id: repliedTo, parent_post_id: rootId } = post;
  if (repliedTo === null) await countRoot(tx, post);
  else await countReply(tx, post, above, now);
  // Not recorded as 'new': open pages must not count it as a new post.
  await recordChange(tx, { kind: 'restored', postId: id, ownerId, repliedTo, rootId, now });
  tx.touch(`post:${id}`);
  if (post.unseen === 1) await sumUnread(tx, ownerId);
  return 'restored';
}

/**
 * Locks a withdrawn post and, if it is withdrawn too, the post it replies to: when both are restored concurrently, the later
 * transaction must see the other post.
 */
async function lockWithdrawnPost({ db }: Tx, id: number): Promise<WithdrawnPost | undefined> {
  const lock = (withdrawnId: number) =>
    db
      .updateTable('removed_posts')
      .set((eb) => ({ reason: eb.ref('reason') }))
      .where('id', '=', withdrawnId)
      .returningAll()
      .executeTakeFirst();
  const post = await lock(id);
  if (post?.replied_post_id) await lock(post.replied_post_id);
  return post;
}

async function hasAuthor({ db }: Tx, { user_id: userId }: WithdrawnPost): Promise<boolean> {
  const author = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(isNotDeleted('users'))
    .executeTakeFirst();
  return author !== undefined;
}

function storedOf(post: WithdrawnPost): Pick<WithdrawnPost, (typeof storedColumns)[number]> {
  const entries = storedColumns.map((column) => [column, post[column]]);
  return Object.fromEntries(entries) as Pick<WithdrawnPost, (typeof storedColumns)[number]>;
}

async function countRoot(tx: Tx, { id, user_id: userId }: WithdrawnPost): Promise<void> {
  await countUsersPosts(tx.db, { userId, change: 1 });
  await countRootPost(tx, id, 1);
  tx.touch('feed', `posts-of:${userId}`);
}

async function countReply(tx: Tx, post: WithdrawnPost, above: readonly ChangedPost[], now: number): Promise<void> {
  const { user_id: userId, replied_post_id: repliedTo, parent_post_id: rootId } = post;
  await countUsersReplies(tx.db, { userId, change: 1 });
  for (const { id, user_id: ownerId, replied_post_id: repliedId } of above) {
    await recordChange(tx, { kind: 'counted', postId: id, ownerId, repliedTo: repliedId, rootId, now });
  }
  touchThread(tx, { userId, repliedTo: repliedTo!, rootId: rootId! });
}
