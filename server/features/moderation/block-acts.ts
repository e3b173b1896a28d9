import type { ActName } from '#contract/moderation-acts.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { type ActRefusal, type By, type Outcome, recordAct } from './journal.ts';
import { removePendingOf } from '../posts/pending-posts.ts';
import { hasRemovedWithBlock, keepRemoved, removeAllPostsOf, restoreAllPostsOf } from './removal.ts';
import { blockUser, clearEndedBlock, findBlock, lockPerson, unblockUser } from './store.ts';

// Blocks, as the command line and the moderation desk make them. The block and its entry are one transaction; many posts
// follow in batches, each with an entry of its own.

export interface Person {
  id: number;
  username: string;
}

/** Finds the person and who acts, in the transaction of the act. */
export type Open<Found extends Person> = (tx: Tx) => Promise<{ person: Found; by: By } | Refusal<'missing'>>;

type PersonOutcome<Found> =
  | { person: Found; outcome: Outcome; posts: number }
  | { person: undefined; outcome: Refusal<'missing'>; posts: 0 };

const nobody = { person: undefined, outcome: { refused: 'missing' }, posts: 0 } as const;

const onPerson = (action: ActName, { id, username }: Person, details: object) => ({
  action,
  target: username,
  targetId: id,
  // The id as well, because names change.
  details: { user: id, ...details },
});

interface BlockOptions {
  removePosts: boolean;
  /** The person reads it instead of the reason of this act. */
  because?: string;
  /** When the block ends by itself; null: without end. */
  until?: number | null;
}

/** Blocks a person. Started again after an interruption, the removal of the posts continues. */
export async function actBlock<Found extends Person>(
  db: Database,
  open: Open<Found>,
  { removePosts, because, until = null }: BlockOptions,
): Promise<PersonOutcome<Found>> {
  const begun = await db.tx(async (tx) => {
    const opened = await open(tx);
    if ('refused' in opened) return undefined;
    const { person, by } = opened;
    const terms = { removePosts, because: because ?? by.reason, until };
    return { person, by, outcome: await block(tx, person, by, terms) };
  });
  if (!begun) return nobody;
  const { person, by, outcome } = begun;
  if (!mayContinue(outcome)) return { person, outcome, posts: 0 };
  const removal = { userId: person.id, reason: because ?? by.reason, now: by.at };
  const record = (tx: Tx, posts: number[]) => recordAct(tx, by, onPerson('remove-posts', person, { posts }));
  // Posts that wait for a moderator are never published.
  const waiting = await db.tx(async (tx) => {
    const ids = await removePendingOf(tx, person.id, removal);
    if (ids.length > 0) await record(tx, ids);
    return ids.length;
  });
  const posts = removePosts ? await removeAllPostsOf(db, removal, record) : 0;
  return { person, outcome, posts: posts + waiting };
}

async function block(
  tx: Tx,
  person: Person,
  by: By,
  { removePosts, because, until }: Required<BlockOptions>,
): Promise<Outcome> {
  if (until !== null && until <= by.at) return { refused: 'past' };
  const refusal = await refusalFor(tx, person, by);
  if (refusal) return refusal;
  if (!(await blockUser(tx, person.id, because, by.at, until))) return { refused: 'already' };
  const act = onPerson('block', person, { remove_posts: removePosts, ...(until !== null && { until }) });
  return { actId: await recordAct(tx, by, { ...act, ends: ['unblock'] }) };
}

/** Ends a block. Started again after an interruption, the restoration of the posts continues. */
export async function actUnblock<Found extends Person>(
  db: Database,
  open: Open<Found>,
  { restorePosts }: { restorePosts: boolean },
): Promise<PersonOutcome<Found>> {
  const begun = await db.tx(async (tx) => {
    const opened = await open(tx);
    if ('refused' in opened) return undefined;
    return { ...opened, outcome: await unblock(tx, opened.person, opened.by, restorePosts) };
  });
  if (!begun) return nobody;
  const { person, by, outcome } = begun;
  if (!restorePosts || !mayContinue(outcome)) return { person, outcome, posts: 0 };
  const record = (tx: Tx, posts: number[]) => recordAct(tx, by, onPerson('restore-posts', person, { posts }));
  return { person, outcome, posts: await restoreAllPostsOf(db, { userId: person.id, now: by.at }, record) };
}

async function unblock(tx: Tx, person: Person, by: By, restorePosts: boolean): Promise<Outcome> {
  const refusal = await refusalFor(tx, person, by);
  if (refusal) return refusal;
  const held = await findBlock(tx.db, person.id, by.at);
  if (!(await unblockUser(tx, person.id))) return { refused: 'already' };
  // The undo of this act removes posts only if this act has restored some.
  const restores = restorePosts && (await hasRemovedWithBlock(tx, person.id));
  if (!restorePosts) await keepRemoved(tx, person.id);
  const act = onPerson('unblock', person, {
    restore_posts: restores,
    ...(held && { blocked_because: held.block_reason }),
    ...(held?.blocked_until && { until: held.blocked_until }),
  });
  return { actId: await recordAct(tx, by, { ...act, ends: ['block'] }) };
}

const mayContinue = (outcome: Outcome): boolean => !('refused' in outcome) || outcome.refused === 'already';

/** Moderators and owners are blocked and unblocked by operators alone. Locks the person, who may be appointed at the same moment. */
async function refusalFor(tx: Tx, { id }: Person, { moderatorId }: By): Promise<ActRefusal | undefined> {
  if (moderatorId === undefined) return undefined;
  if (moderatorId === id) return { refused: 'oneself' };
  return (await lockPerson(tx, id))?.role ? { refused: 'moderator' } : undefined;
}

/** Ends a block for a term. What it has removed is decided about one by one from now on. */
export async function endBlock(tx: Tx, userId: number, now: number): Promise<void> {
  if (await clearEndedBlock(tx, userId, now)) await keepRemoved(tx, userId);
}
