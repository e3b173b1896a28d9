import type { CarriedOut, Inverse } from '#contract/keeper-acts.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { deleteUser } from '../../account/account-store.ts';
import { AuthorGone } from '../../posts/pending-posts.ts';
import { lockUnclaimed } from '../claims.ts';
import {
  type ActRefusal,
  type By,
  type CarryOut,
  type Counts,
  type Follow,
  type Given,
  type Outcome,
  recordAct,
} from '../journal.ts';
import {
  actBlock,
  actCloseSessions,
  actUnblock,
  actUnwarn,
  actWarn,
  followBlock,
  followUnblock,
  setRightToInvite,
} from '../person-acts.ts';
import {
  actApprove,
  actDismiss,
  actLock,
  actPace,
  actPin,
  actRemove,
  actReopen,
  actRestore,
  actUnlock,
  actUnpin,
} from '../post-keeper-acts.ts';
import { actAppoint, actDismissModerator } from '../roles.ts';

/** Deletes what was imported of a person, who need not come for it. A job removes the posts. */
export const actForgetImported: CarryOut = async (tx, id, by) => {
  const username = await lockUnclaimed(tx, id);
  if (username === undefined) return { refused: 'already' };
  await deleteUser(tx, id, by.at);
  return { actId: await recordAct(tx, by, { action: 'forget-imported', target: username, targetId: id }) };
};

type Performed = CarriedOut | Inverse;

/** The functions of the acts. The desk, the command line and the undo call them. */
const carriers: Readonly<Record<Performed, CarryOut | { act: CarryOut; follow: Follow }>> = {
  approve: actApprove,
  remove: actRemove,
  restore: actRestore,
  dismiss: actDismiss,
  reopen: actReopen,
  lock: actLock,
  unlock: actUnlock,
  pace: actPace,
  pin: actPin,
  unpin: actUnpin,
  block: { act: actBlock, follow: followBlock },
  unblock: { act: actUnblock, follow: followUnblock },
  'end-inviting': setRightToInvite(true),
  'allow-inviting': setRightToInvite(false),
  warn: actWarn,
  unwarn: actUnwarn,
  'close-sessions': actCloseSessions,
  appoint: actAppoint,
  'appoint-owner': (tx, id, by) => actAppoint(tx, id, by, { owner: true }),
  'dismiss-moderator': actDismissModerator,
  'forget-imported': actForgetImported,
};

interface Opened {
  act: Performed;
  /** The id of the post or the person. */
  id: number;
  by: By;
  given?: Given;
}

interface Result {
  outcome: Outcome<{ postId?: number | null }>;
  counts: Counts;
}

/**
 * Carries out an act. `open` runs in its transaction and says which act it is and on what. `follow` of the act runs afterwards, in
 * batches that are transactions of their own.
 */
export async function perform(db: Database, open: (tx: Tx) => Promise<Opened | ActRefusal>): Promise<Result> {
  let goOn = async (): Promise<Counts> => ({});
  try {
    const outcome = await db.tx(async (tx) => {
      const opened = await open(tx);
      if ('refused' in opened) return opened;
      const { act: name, id, by, given = {} } = opened;
      const carrier = carriers[name];
      if (typeof carrier === 'function') return carrier(tx, id, by, given);
      goOn = () => carrier.follow(db, id, by, given);
      return carrier.act(tx, id, by, given);
    });
    const counts = 'refused' in outcome ? {} : outcome.counts;
    const mayGoOn = !('refused' in outcome) || outcome.refused === 'already';
    return { outcome, counts: { ...counts, ...(mayGoOn && (await goOn())) } };
  } catch (error) {
    // Thrown, so that the transaction was rolled back.
    if (error instanceof AuthorGone) return { outcome: { refused: 'missing' }, counts: {} };
    throw error;
  }
}
