import type { Selectable } from 'kysely';
import { type PostState, states } from '../../db/all-posts.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { recordChange } from '../../live/change-log.ts';
import { changeIndex } from '../../search/post-words.ts';
import { sumUnread } from '../notifications/notified-people.ts';
import { countPeopleOf, forgetPeopleOf } from './counted-people.ts';
import { forgetLift, reviseDiscussion } from './discussions.ts';
import { contentColumns } from './post-rows.ts';
import { countRootPost } from './feed-counts.ts';
import { lockWithdrawn, type StoredPost, touchThread } from './post-writes.ts';
import { moveInThread, placeColumns, type Place } from './thread-counts.ts';

/** The states that may follow each state. */
const transitions: Readonly<Record<PostState, readonly PostState[]>> = {
  shown: ['deleted', 'removed', 'gone'],
  deleted: ['shown', 'gone'],
  removed: ['shown', 'gone'],
  gone: [],
};

const names = Object.keys(states) as readonly PostState[];

export type Change =
  /** By the author, who can undo it for five minutes. */
  | { to: 'deleted' }
  /** By a keeper. The author can read the reason. `withBlock`: because the author is blocked. */
  | { to: 'removed'; reason: string; withBlock: boolean }
  | { to: 'shown' }
  /** For good: no text and no author remain. */
  | { to: 'gone' };

type Row = Partial<Selectable<Schema['all_posts']>>;

const noRemoval: Row = { removed_at: null, reason: '', with_block: 0, unseen: 0, told_at: null };
const noContent: Row = Object.fromEntries(contentColumns.map((column) => [column, null]));
const blank: Row = { ...noRemoval, ...noContent, user_id: null, created_at: 0, modified_at: null, likes_count: 0 };

/** The columns that change with the state. */
export function rowOf(change: Change, now: number): Row {
  if (change.to === 'shown') return noRemoval;
  if (change.to === 'gone') return blank;
  if (change.to === 'deleted') return { ...noRemoval, removed_at: now };
  // A blocked author learns the reason from the block, so the posts removed with it need no notification.
  const { reason, withBlock } = change;
  return { removed_at: now, reason, with_block: withBlock ? 1 : 0, unseen: withBlock ? 0 : 1 };
}

/** Removes the rows about a post that is gone for good. */
async function forgetPost(tx: Tx, id: number): Promise<void> {
  await forgetLift(tx, id);
  for (const table of ['bookmarks', 'shared_posts', 'gated_posts'] as const) {
    await tx.db.deleteFrom(table).where('post_id', '=', id).execute();
  }
}

async function store({ db }: Tx, id: number, change: Change, now: number): Promise<Place> {
  return db
    .updateTable('all_posts')
    .set({ ...rowOf(change, now), state: states[change.to] })
    .where('id', '=', id)
    .returning(placeColumns)
    .executeTakeFirstOrThrow();
}

/**
 * Changes the state of a post that the transaction has locked. Everything that depends on whether the post is shown follows: its
 * place, the counts of people, the discussion, the search index, the change log and the cached responses. Likes, notifications and
 * bookmarks stay where they are until the post is gone. Its replies stay in any case.
 */
export async function changeState(tx: Tx, post: StoredPost, change: Change, now: number): Promise<void> {
  const from = names[post.state]!;
  if (!transitions[from].includes(change.to)) throw new Error(`A ${from} post cannot become ${change.to}`);
  const shown = (Number(change.to === 'shown') - Number(from === 'shown')) as -1 | 0 | 1;
  const above = await moveInThread(tx, post, await store(tx, post.id, change, now));
  if (shown !== 0) await showOrHide(tx, post, { shown, above, now });
  if (change.to === 'gone') {
    await forgetPeopleOf(tx, post.id);
    await forgetPost(tx, post.id);
  }
  if (post.unseen === 1 || (change.to === 'removed' && !change.withBlock)) await sumUnread(tx, post.user_id);
}

interface Showing {
  /** 1: the post has become visible, -1: it was visible before. */
  shown: 1 | -1;
  /** Shown posts above, whose counts have changed. */
  above: readonly Place[];
  now: number;
}

async function showOrHide(tx: Tx, post: StoredPost, { shown, above, now }: Showing): Promise<void> {
  const { id, user_id: userId, replied_post_id: repliedTo, parent_post_id: rootId } = post;
  await countPeopleOf(tx, post, shown);
  if (rootId !== null || post.thread_count > 0) await reviseDiscussion(tx, rootId ?? id);
  await changeIndex(tx, shown > 0 ? null : post, shown > 0 ? post : null);
  if (repliedTo === null || rootId === null) {
    await countRootPost(tx, id, shown);
    tx.touch('feed', `posts-of:${userId}`);
  } else {
    touchThread(tx, { userId, repliedTo, rootId });
  }
  const ids = { postId: id, ownerId: userId, repliedTo, rootId };
  // A restored post is not 'new': open pages must not count it as a new post.
  await recordChange(tx, { kind: shown > 0 ? 'restored' : 'deleted', ...ids, now });
  tx.touch(`post:${id}`);
  if (shown < 0) return;
  for (const { id: postId, user_id: ownerId, replied_post_id: repliedId } of above) {
    await recordChange(tx, { kind: 'counted', postId, ownerId: ownerId!, repliedTo: repliedId, rootId, now });
  }
}

const author = prepared<{ userId: number }, { id: number }>((db, slot) =>
  db.selectFrom('users').select('id').where('id', '=', slot('userId')).where(isNotDeleted('users')),
);

/** Restores a withdrawn post if `mayRestore` allows it. */
export async function restorePost(
  tx: Tx,
  id: number,
  now: number,
  mayRestore: (post: StoredPost) => boolean,
): Promise<'restored' | 'not removed' | 'author gone'> {
  const post = await lockWithdrawn(tx, id);
  if (!post || !mayRestore(post)) return 'not removed';
  if ((await author(tx.db, { userId: post.user_id })).length === 0) return 'author gone';
  await changeState(tx, post, { to: 'shown' }, now);
  return 'restored';
}
