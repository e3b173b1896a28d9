import type { Kysely, Selectable } from 'kysely';
import { gateHoursMax } from '#contract/wall-setting-rules.ts';
import type { PendingPost } from '#contract/posts.ts';
import { states } from '../../db/all-posts.ts';
import type { Database, Tx } from '../../db/database.ts';
import { reserveIds } from '../../db/ids.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { sumUnread } from '../notifications/notified-people.ts';
import { type Gate, noteGated } from './gate.ts';
import { rowOf } from './post-states.ts';
import { countHiddenReply } from './thread-counts.ts';
import { closingFor, lockRules, type ReplyRefusal, refusalOfReply } from './reply-rules.ts';
import { contentOf, type NewPost } from './post-rows.ts';
import { lockPost, lockVisiblePost, publishPost, publishReply } from './post-writes.ts';

// Posts of newcomers wait in a table that no list, count, search, feed or event reads. A post leaves it when a moderator decides,
// its time is up, its author withdraws it, or its author is blocked. The row is deleted in the transaction that does the rest,
// so each post has exactly one outcome.

export type PendingRow = Selectable<Schema['pending_posts']>;

interface Waiting extends NewPost {
  /** Null for a root post. */
  repliedTo: number | null;
  gate: Gate;
  /** The pace of the whole wall. */
  wallPace: number;
  key: string | undefined;
}

/** Stores a pending post. A reply is refused for the same reasons as a published one. */
export async function holdPost(
  tx: Tx,
  { repliedTo, gate, wallPace, key, ...written }: Waiting,
): Promise<PendingPost | ReplyRefusal> {
  const { userId, now } = written;
  const place = repliedTo === null ? root : await placeOf(tx, repliedTo);
  if (!place) return { refused: 'missing' };
  const refusal = place.rootId && (await refusalOfReply(tx, { ...place, rootId: place.rootId, wallPace, userId, now }));
  if (refusal) return refusal;
  const row: PendingRow = {
    id: await reserveIds(tx, 'posts', 1),
    user_id: userId,
    ...contentOf(written),
    created_at: now,
    expires_at: now + gate.hours * 3_600,
    parent_post_id: place.rootId,
    replied_post_id: repliedTo,
    depth: place.depth,
    idempotency_key: key ?? null,
  };
  await tx.db.insertInto('pending_posts').values(row).execute();
  return toPending(row);
}

const root = { rootId: null, pace: 0, closed_by: null, depth: 0, rootOwnerId: undefined };

/** The place of a reply to a post. Locks the post and the root of its discussion. */
async function placeOf(tx: Tx, repliedTo: number) {
  const replied = await lockVisiblePost(tx, repliedTo);
  const place = replied && (await lockRules(tx, repliedTo));
  return place && { ...place, depth: replied.depth + 1, rootOwnerId: (await lockPost(tx, place.rootId))?.user_id };
}

export const toPending = (row: PendingRow): PendingPost => ({
  id: String(row.id),
  text: row.text,
  created_at: row.created_at,
  replied_post_id: row.replied_post_id === null ? null : String(row.replied_post_id),
  expires_at: row.expires_at,
});

/** The pending posts of one author, the newest first. */
export async function listPendingOf(db: Kysely<Schema>, userId: number): Promise<PendingPost[]> {
  const rows = await db
    .selectFrom('pending_posts')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toPending);
}

export async function findPending(
  db: Kysely<Schema>,
  { id, userId }: { id: number; userId: number },
): Promise<PendingPost | undefined> {
  const row = await db
    .selectFrom('pending_posts')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && toPending(row);
}

/** Takes a post out of the table; undefined when another transaction has already taken it. */
const takePending = ({ db }: Tx, id: number): Promise<PendingRow | undefined> =>
  db.deleteFrom('pending_posts').where('id', '=', id).returningAll().executeTakeFirst();

/** The author was blocked or has deleted the account. The caller must roll back. */
export class AuthorGone extends Error {
  override name = 'AuthorGone';
}

/** The author of a pending reply reads this reason when the reply can no longer be published. */
const noReply = 'На это уже нельзя ответить: запись удалена или новые ответы запрещены';

/** Publishes a pending post with the current time. A reply that is no longer possible is withdrawn, and `postId` is null. */
export async function publishPending(tx: Tx, id: number, now: number): Promise<{ postId: number | null } | undefined> {
  const row = await takePending(tx, id);
  if (!row) return undefined;
  const postId = await publishRow(tx, row, now);
  if (postId === null) {
    await withdrawPending(tx, [row], { now, reason: noReply });
  } else {
    await noteGated(tx, [postId]);
    if (row.idempotency_key !== null) {
      await tx.db
        .updateTable('idempotency_keys')
        .set({ post_id: postId })
        .where('key', '=', row.idempotency_key)
        .where('post_id', '=', id)
        .execute();
    }
  }
  // Publishing has counted the post in the author's row, so the row is locked and the answer stays true until the commit.
  if (postId !== null && !(await hasAuthor(tx, row.user_id))) throw new AuthorGone();
  return { postId };
}

async function publishRow(tx: Tx, row: PendingRow, now: number): Promise<number | null> {
  const post = { userId: row.user_id, ...contentOf(row), now };
  if (row.replied_post_id === null) return (await publishPost(tx, post)).id;
  const place = await placeOf(tx, row.replied_post_id);
  if (!place || closingFor({ ...place, userId: row.user_id })) return null;
  const published = await publishReply(tx, row.replied_post_id, { ...post, wasPending: true });
  return 'refused' in published ? null : published.id;
}

async function hasAuthor({ db }: Tx, userId: number): Promise<boolean> {
  const author = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(isNotDeleted('users'))
    .where(isNotBlocked('users'))
    .executeTakeFirst();
  return author !== undefined;
}

interface PendingRemoval {
  now: number;
  reason: string;
  withBlock?: boolean;
}

/** Stores pending posts as removed posts: the author reads the reason, and a moderator can publish them by restoring them. */
async function withdrawPending(
  tx: Tx,
  rows: readonly PendingRow[],
  { now, reason, withBlock = false }: PendingRemoval,
): Promise<void> {
  if (rows.length === 0) return;
  await noteGated(
    tx,
    rows.map(({ id }) => id),
  );
  for (const row of rows) await countHiddenReply(tx, row);
  await tx.db
    .insertInto('all_posts')
    .values(
      rows.map(({ expires_at: _, idempotency_key: _key, ...row }) => ({
        ...row,
        ...rowOf({ to: 'removed', reason, withBlock }, now),
        state: states.removed,
        is_place: 0,
      })),
    )
    .execute();
  if (withBlock) return;
  for (const userId of new Set(rows.map((row) => row.user_id))) await sumUnread(tx, userId);
}

/** Removes a pending post. Resolves to false when there is none. */
export async function removePending(tx: Tx, id: number, removal: PendingRemoval): Promise<boolean> {
  const row = await takePending(tx, id);
  if (row) await withdrawPending(tx, [row], removal);
  return row !== undefined;
}

/** Removes the pending posts of a person who is blocked. Resolves to the ids of the posts. */
export async function removePendingOf(tx: Tx, userId: number, removal: PendingRemoval): Promise<number[]> {
  const rows = await tx.db
    .deleteFrom('pending_posts')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.exists(eb.selectFrom('users').select('id').where('id', '=', userId).where('blocked_at', 'is not', null)),
    )
    .returningAll()
    .execute();
  await withdrawPending(tx, rows, { ...removal, withBlock: true });
  return rows.map(({ id }) => id);
}

/** Deletes a pending post permanently, for its author. */
export async function deletePending({ db }: Tx, id: number, userId: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('pending_posts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

const dueAtOnce = 100;

/** Publishes the posts whose time is over, each in a transaction of its own. */
export async function publishDue(
  { read }: Pick<Database, 'read'>,
  { now, tx }: { now: number; tx: Database['tx'] },
): Promise<void> {
  for (;;) {
    const due = await read
      .selectFrom('pending_posts as w')
      .innerJoin('users as u', (join) =>
        join.onRef('u.id', '=', 'w.user_id').on(isNotDeleted('u')).on(isNotBlocked('u')),
      )
      .select('w.id')
      // A later time was recorded by a clock that was ahead, so the post is due.
      .where((eb) => eb.or([eb('w.expires_at', '<=', now), eb('w.expires_at', '>', now + gateHoursMax * 3_600)]))
      .orderBy('w.expires_at')
      .limit(dueAtOnce)
      .execute();
    for (const { id } of due) await tx((opened) => publishPending(opened, id, now)).catch(unlessGone);
    if (due.length < dueAtOnce) return;
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof AuthorGone)) throw error;
}
