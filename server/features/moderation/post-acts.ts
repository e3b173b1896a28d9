import type { Kysely } from 'kysely';
import type { ActName, PostActName } from '#contract/moderation-acts.ts';
import * as moderation from '#contract/moderation.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { removePending } from '../posts/pending-posts.ts';
import { isRemoved } from '../posts/removed-posts.ts';
import { lockPost } from '../posts/writes.ts';
import { claimSettled, ownerOfReported, reopenSettledBy, settleReports } from '../reports/store.ts';
import { actLock, actUnlock } from './discussion-acts.ts';
import { type By, type CarryOut, detailsOf, endAct, type JournalRow, type Outcome, recordAct } from './journal.ts';
import { removePost, restoreRemoved } from './removal.ts';

// The acts of the command line and the moderation desk on a post. Each act and its entry in the journal are one transaction.

const onPost = (action: ActName, id: number) => ({ action, target: String(id), targetId: id });

/** Removes a post and settles the reports of it. The undo of a restoration says what its removal said. */
const actRemove: CarryOut = async (tx, id, by, undone) => {
  const { removed_because: because = by.reason, with_block: withBlock = false } = undone
    ? { removed_because: undone.reason, ...detailsOf(undone) }
    : {};
  const post = await lockPost(tx, id);
  // A newcomer's post that has never been on the wall.
  if (!post && (await removePending(tx, id, { now: by.at, reason: because }))) {
    return { actId: await recordAct(tx, by, { ...onPost('remove', id), ends: ['restore'] }) };
  }
  if (!post) return { refused: (await isRemoved(tx.db, id)) ? 'already' : 'missing' };
  if (post.user_id === by.moderatorId) return { refused: 'own post' };
  await removePost(tx, post, { now: by.at, reason: because, withBlock });
  const settled = await settleReports(tx, id, by.at);
  const details = { settled_reports: settled };
  const actId = await recordAct(tx, by, { ...onPost('remove', id), details, ends: ['restore'] });
  await claimSettled(tx, [id], actId);
  return { actId, settled };
};

/** Restores a removed post. The reports that the removal settled stay settled, unless it is undone. */
const actRestore: CarryOut = async (tx, id, by, undone) => {
  const removal = await tx.db
    .selectFrom('removed_posts')
    .select(['user_id', 'reason', 'with_block'])
    .where('id', '=', id)
    .where('by_author', '=', 0)
    .executeTakeFirst();
  if (removal && removal.user_id === by.moderatorId) return { refused: 'own post' };
  const outcome = removal ? await restoreRemoved(tx, id, by.at) : 'not removed';
  if (outcome === 'author gone') return { refused: 'author gone' };
  if (outcome === 'not removed') return { refused: (await isShown(tx.db, id)) ? 'already' : 'missing' };
  const details = { removed_because: removal!.reason, with_block: removal!.with_block === 1 };
  const actId = await recordAct(tx, by, { ...onPost('restore', id), details, ends: ['remove'] });
  if (undone) await reopenSettledBy(tx, id, undone.id);
  return { actId };
};

/** Settles the open reports of a post and leaves it as it is. */
const actDismiss: CarryOut = async (tx, id, by) => {
  const ownerId = await ownerOfReported(tx.db, id);
  if (ownerId === undefined) return { refused: 'missing' };
  if (ownerId === by.moderatorId) return { refused: 'own post' };
  const settled = await settleReports(tx, id, by.at);
  if (settled === 0) return { refused: 'already' };
  const details = { settled_reports: settled };
  const actId = await recordAct(tx, by, { ...onPost('dismiss', id), details });
  await claimSettled(tx, [id], actId);
  return { actId, settled };
};

/** Opens exactly the reports that a dismissal settled. */
export const actReopen = async (tx: Tx, id: number, by: By, { id: dismissal }: JournalRow): Promise<Outcome> => {
  if ((await ownerOfReported(tx.db, id)) === by.moderatorId) return { refused: 'own post' };
  const reopened = await reopenSettledBy(tx, id, dismissal);
  if (reopened === 0) return { refused: 'already' };
  const actId = await recordAct(tx, by, { ...onPost('reopen', id), details: { reopened_reports: reopened } });
  await endAct(tx, dismissal, actId);
  return { actId };
};

interface PostAct {
  /** All of these calls have the same schemas. */
  call: typeof moderation.removePost;
  /** Also for its command, and for the undo of its inverse. */
  carryOut: CarryOut;
}

export const postActs: Record<PostActName, PostAct> = {
  remove: { call: moderation.removePost, carryOut: actRemove },
  restore: { call: moderation.returnPost, carryOut: actRestore },
  dismiss: { call: moderation.dismissReports, carryOut: actDismiss },
  lock: { call: moderation.lockDiscussion, carryOut: actLock },
  unlock: { call: moderation.unlockDiscussion, carryOut: actUnlock },
};

async function isShown(db: Kysely<Schema>, id: number): Promise<boolean> {
  const post = await db.selectFrom('posts').select('id').where('id', '=', id).executeTakeFirst();
  return post !== undefined;
}
