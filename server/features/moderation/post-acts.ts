import type { Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isRemoved } from '../posts/removed-posts.ts';
import { lockPost } from '../posts/writes.ts';
import { claimSettled, ownerOfReported, reopenSettledBy, settleReports } from '../reports/store.ts';
import { type By, endAct, type Outcome, recordAct } from './journal.ts';
import { removePost, restoreRemoved } from './removal.ts';

// What the command line and the moderation desk do with a post. Each act and its entry in the journal are one transaction.

const onPost = (action: string, id: number) => ({ action, target: String(id), targetId: id });

/** What the author is told about a removal that is put back. */
interface Before {
  because?: string;
  withBlock?: boolean;
}

/** Takes a post off the wall and settles the reports of it. */
export async function actRemove(
  tx: Tx,
  id: number,
  by: By,
  { because = by.reason, withBlock = false }: Before = {},
): Promise<Outcome<{ settled: number }>> {
  const post = await lockPost(tx, id);
  if (!post) return { obstacle: (await isRemoved(tx.db, id)) ? 'already' : 'missing' };
  if (post.user_id === by.moderatorId) return { obstacle: 'own post' };
  await removePost(tx, post, { now: by.at, reason: because, withBlock });
  const settled = await settleReports(tx, id, by.at);
  const details = { settled_reports: settled };
  const actId = await recordAct(tx, by, { ...onPost('remove', id), details, ends: ['restore'] });
  await claimSettled(tx, [id], actId);
  return { actId, settled };
}

/** Puts a removed post back. The reports that the removal settled stay settled. */
export async function actRestore(tx: Tx, id: number, by: By): Promise<Outcome> {
  const removal = await tx.db
    .selectFrom('removed_posts')
    .select(['user_id', 'reason', 'with_block'])
    .where('id', '=', id)
    .where('by_author', '=', 0)
    .executeTakeFirst();
  if (removal && removal.user_id === by.moderatorId) return { obstacle: 'own post' };
  const outcome = removal ? await restoreRemoved(tx, id, by.at) : 'not removed';
  if (outcome === 'author gone') return { obstacle: 'author gone' };
  if (outcome === 'not removed') return { obstacle: (await isShown(tx.db, id)) ? 'already' : 'missing' };
  const details = { removed_because: removal!.reason, with_block: removal!.with_block === 1 };
  return { actId: await recordAct(tx, by, { ...onPost('restore', id), details, ends: ['remove'] }) };
}

/** Settles the open reports of a post and leaves it as it is. */
export async function actDismiss(tx: Tx, id: number, by: By): Promise<Outcome<{ settled: number }>> {
  const ownerId = await ownerOfReported(tx.db, id);
  if (ownerId === undefined) return { obstacle: 'missing' };
  if (ownerId === by.moderatorId) return { obstacle: 'own post' };
  const settled = await settleReports(tx, id, by.at);
  if (settled === 0) return { obstacle: 'already' };
  const details = { settled_reports: settled };
  const actId = await recordAct(tx, by, { ...onPost('dismiss', id), details });
  await claimSettled(tx, [id], actId);
  return { actId, settled };
}

/** Undoes a dismissal: opens exactly the reports that it settled. */
export async function actReopen(tx: Tx, id: number, dismissal: number, by: By): Promise<Outcome> {
  if ((await ownerOfReported(tx.db, id)) === by.moderatorId) return { obstacle: 'own post' };
  const reopened = await reopenSettledBy(tx, id, dismissal);
  if (reopened === 0) return { obstacle: 'already' };
  const actId = await recordAct(tx, by, { ...onPost('reopen', id), details: { reopened_reports: reopened } });
  await endAct(tx, dismissal, actId);
  return { actId };
}

async function isShown(db: Kysely<Schema>, id: number): Promise<boolean> {
  const post = await db.selectFrom('posts').select('id').where('id', '=', id).executeTakeFirst();
  return post !== undefined;
}
