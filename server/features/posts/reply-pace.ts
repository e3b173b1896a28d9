import type { Kysely } from 'kysely';
import { closed, closedByAuthor, isClosedByAuthor } from '#contract/pace.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { type Exhausted, spend } from '../../limits/budgets.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { recordChange } from '../../live/change-log.ts';

// The pace of a discussion is in the row of its root, or in the gap of it. A reply counts in this row before it reads the
// pace, so it either commits before a change of the pace or sees it.

export type ReplyRefusal = Refusal<'missing' | Closing> | Exhausted;

/** Who has closed a discussion. */
type Closing = 'closed' | 'closed by author';

interface Place {
  pace: number;
  userId: number;
  /** The author of the root post; undefined when that is gone. */
  rootOwnerId: number | undefined;
}

/** Why a discussion takes no reply of a person, whatever its pace. The author replies also after closing it to others. */
export function closingFor({ pace, userId, rootOwnerId }: Place): Closing | undefined {
  if (pace === closed) return 'closed';
  return isClosedByAuthor(pace) && rootOwnerId !== userId ? 'closed by author' : undefined;
}

interface Reply extends Place {
  rootId: number;
  /** The pace of the whole wall. */
  wallPace: number;
  now: number;
}

/** Why a person may not reply now. Otherwise the reply is counted. */
export async function refusalOfReply(
  tx: Tx,
  { rootId, wallPace, now, ...place }: Reply,
): Promise<ReplyRefusal | undefined> {
  const { pace, userId } = place;
  const closing = closingFor(place);
  if (closing) return { refused: closing };
  const seconds = isClosedByAuthor(pace) ? closedByAuthor(pace) : pace;
  const budgets = [
    { key: `paces ${userId} ${rootId}`, limits: [{ count: 1, seconds }] },
    { key: `paces ${userId} wall`, limits: [{ count: 1, seconds: wallPace }] },
  ].filter(({ limits: [limit] }) => limit!.seconds > 0);
  return budgets.length === 0 ? undefined : spend(tx, budgets, now);
}

export interface LockedPace {
  rootId: number;
  pace: number;
}

/** Finds the discussion of a post and locks its pace; undefined if there is no such discussion. */
export async function lockPace({ db }: Tx, id: number): Promise<LockedPace | undefined> {
  const rootId = await rootIdOf(db, id);
  for (const table of places) {
    const row = await db
      .updateTable(table)
      .set((eb) => ({ pace: eb.ref('pace') }))
      .where('id', '=', rootId)
      .returning('pace')
      .executeTakeFirst();
    if (row) return { rootId, pace: row.pace };
  }
  return undefined;
}

export async function setPace(tx: Tx, rootId: number, pace: number, now: number): Promise<void> {
  const update = tx.db.updateTable('posts').set({ pace }).where('id', '=', rootId).returning('user_id');
  const root = await update.executeTakeFirst();
  if (root) {
    const ids = { postId: rootId, ownerId: root.user_id, repliedTo: null, rootId: null };
    await recordChange(tx, { kind: 'ruled', ...ids, now });
  } else {
    await tx.db.updateTable('thread_gaps').set({ pace }).where('id', '=', rootId).execute();
  }
  tx.touch(`post:${rootId}`);
}

/** The author of a root post closes its discussion to others, or opens it. What those who keep the wall have closed stays so. */
export async function closeReplies(
  tx: Tx,
  { rootId, pace }: LockedPace,
  isWanted: boolean,
  now: number,
): Promise<'kept closed' | undefined> {
  if (pace === closed) return 'kept closed';
  if (isClosedByAuthor(pace) !== isWanted) await setPace(tx, rootId, closedByAuthor(pace), now);
  return undefined;
}

const places = ['posts', 'thread_gaps'] as const;

async function rootIdOf(db: Kysely<Schema>, id: number): Promise<number> {
  const post = await db.selectFrom('posts').select('parent_post_id').where('id', '=', id).executeTakeFirst();
  return post?.parent_post_id ?? id;
}
