import type { Kysely } from 'kysely';
import { type DiscussionRules, ruleColumns } from '#contract/reply-rules.ts';
import { states } from '../../db/all-posts.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { type Exhausted, spend } from '../../limits/budgets.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { recordChange } from '../../live/change-log.ts';

// The rules for replies are in the row of the root post, whatever its state. A reply counts in this row before it reads the
// rules, so it either commits before they change or sees the change.

export type ReplyRefusal = Refusal<'missing' | Closing> | Exhausted;

type Closing = 'closed' | 'closed by author';

interface Replying extends Pick<DiscussionRules, 'pace' | 'closed_by'> {
  userId: number;
  /** The author of the root post; undefined when the post is gone. */
  rootOwnerId: number | undefined;
}

/** Why a discussion takes no reply of a person, whatever its pace. */
export function closingFor({ closed_by: by, userId, rootOwnerId }: Replying): Closing | undefined {
  if (by === 'keeper') return 'closed';
  return by === 'author' && rootOwnerId !== userId ? 'closed by author' : undefined;
}

interface Reply extends Replying {
  rootId: number;
  /** The pace of the whole wall. */
  wallPace: number;
  now: number;
}

/** Why a person may not reply now; undefined if the person may. Then the reply is spent from the budgets of the pace. */
export async function refusalOfReply(
  tx: Tx,
  { rootId, wallPace, now, ...replying }: Reply,
): Promise<ReplyRefusal | undefined> {
  const closing = closingFor(replying);
  if (closing) return { refused: closing };
  const { pace, userId } = replying;
  const budgets = [
    { key: `paces ${userId} ${rootId}`, limits: [{ count: 1, seconds: pace }] },
    { key: `paces ${userId} wall`, limits: [{ count: 1, seconds: wallPace }] },
  ].filter(({ limits: [limit] }) => limit!.seconds > 0);
  return budgets.length === 0 ? undefined : spend(tx, budgets, now);
}

export interface LockedRules extends DiscussionRules {
  rootId: number;
}

/** Finds the discussion of a post and locks its rules; undefined if there is no such discussion. */
export async function lockRules({ db }: Tx, id: number): Promise<LockedRules | undefined> {
  const rootId = await rootIdOf(db, id);
  const row = await db
    .updateTable('all_posts')
    .set((eb) => ({ pace: eb.ref('pace') }))
    .where('id', '=', rootId)
    .where('is_place', '=', 1)
    .returning(ruleColumns)
    .executeTakeFirst();
  return row && { rootId, ...row };
}

export async function setRules(tx: Tx, rootId: number, rules: Partial<DiscussionRules>, now: number): Promise<void> {
  const update = tx.db.updateTable('all_posts').set(rules).where('id', '=', rootId).returning(['user_id', 'state']);
  const root = await update.executeTakeFirstOrThrow();
  if (root.state === states.shown) {
    const ids = { postId: rootId, ownerId: root.user_id!, repliedTo: null, rootId: null };
    await recordChange(tx, { kind: 'ruled', ...ids, now });
  }
  tx.touch(`post:${rootId}`);
}

/** The author of a root post closes its discussion to everybody else, or opens it. A discussion that keepers have closed stays closed. */
export async function closeReplies(
  tx: Tx,
  { rootId, closed_by: by }: Pick<LockedRules, 'rootId' | 'closed_by'>,
  isClosed: boolean,
  now: number,
): Promise<'closed by keeper' | undefined> {
  if (by === 'keeper') return 'closed by keeper';
  if ((by === 'author') !== isClosed) await setRules(tx, rootId, { closed_by: isClosed ? 'author' : null }, now);
  return undefined;
}

async function rootIdOf(db: Kysely<Schema>, id: number): Promise<number> {
  const post = await db.selectFrom('posts').select('parent_post_id').where('id', '=', id).executeTakeFirst();
  return post?.parent_post_id ?? id;
}
