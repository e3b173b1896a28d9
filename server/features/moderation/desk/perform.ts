import type { Called, Inverse, KeeperActName } from '#contract/keeper-acts.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { deleteUser } from '../../account/account-store.ts';
import { AuthorGone } from '../../posts/pending-posts.ts';
import { lockUnclaimed } from '../claims.ts';
import {
  type ActRefusal,
  type By,
  type CarryOut,
  type Counts,
  type Given,
  type Outcome,
  recordAct,
  type Sequel,
} from '../journal.ts';
import {
  actBlock,
  actCloseSessions,
  actUnblock,
  actUnwarn,
  actWarn,
  continueBlock,
  continueUnblock,
  setRightToInvite,
} from '../person-acts.ts';
import {
  actApprove,
  actDismiss,
  actPace,
  actPin,
  actRemove,
  actReopen,
  actRestore,
  actUnpin,
  columnActs,
} from '../post-keeper-acts.ts';
import { actAppoint, actDismissModerator } from '../roles.ts';

/** Deletes the account of an imported person who has not claimed it. A job deletes the posts. */
export const actForgetImported: CarryOut = async (tx, id, by) => {
  const username = await lockUnclaimed(tx, id);
  if (username === undefined) return { refused: 'already' };
  await deleteUser(tx, id, by.at);
  return { actId: await recordAct(tx, by, { action: 'forget-imported', target: username, targetId: id }) };
};

type Carrier = CarryOut | { act: CarryOut; sequel: Sequel };

/** The functions of the acts. The desk, the command line and the undo call them. */
const carriers = {
  approve: actApprove,
  remove: actRemove,
  restore: actRestore,
  dismiss: actDismiss,
  reopen: actReopen,
  ...columnActs,
  pace: actPace,
  pin: actPin,
  unpin: actUnpin,
  block: { act: actBlock, sequel: continueBlock },
  unblock: { act: actUnblock, sequel: continueUnblock },
  'end-inviting': setRightToInvite(true),
  'allow-inviting': setRightToInvite(false),
  warn: actWarn,
  unwarn: actUnwarn,
  'close-sessions': actCloseSessions,
  appoint: actAppoint,
  'dismiss-moderator': actDismissModerator,
  'forget-imported': actForgetImported,
} satisfies Record<Called | Inverse, Carrier> & Partial<Record<KeeperActName, Carrier>>;

export type Performed = keyof typeof carriers;

interface Prepared {
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
 * Carries out an act. `prepare` runs in the transaction of the act: it checks who asks and says which act it is and on what. The
 * sequel of the act runs after this transaction, in batches that are transactions of their own.
 */
export async function perform(db: Database, prepare: (tx: Tx) => Promise<Prepared | ActRefusal>): Promise<Result> {
  let sequel = async (): Promise<Counts> => ({});
  try {
    const outcome = await db.tx(async (tx) => {
      const prepared = await prepare(tx);
      if ('refused' in prepared) return prepared;
      const { act: name, id, by, given = {} } = prepared;
      const carrier: Carrier = carriers[name];
      if (typeof carrier === 'function') return carrier(tx, id, by, given);
      sequel = () => carrier.sequel(db, id, by, given);
      return carrier.act(tx, id, by, given);
    });
    const counts = 'refused' in outcome ? {} : outcome.counts;
    // A repeated act is refused as done already. Its sequel runs nevertheless: the act may have been interrupted between batches.
    const mayContinue = !('refused' in outcome) || outcome.refused === 'already';
    return { outcome, counts: { ...counts, ...(mayContinue && (await sequel())) } };
  } catch (error) {
    // `AuthorGone` is thrown instead of returned so that the transaction is rolled back.
    if (error instanceof AuthorGone) return { outcome: { refused: 'missing' }, counts: {} };
    throw error;
  }
}
