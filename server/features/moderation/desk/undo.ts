import { acts, type PostActName, type PostInverse } from '#contract/moderation-acts.ts';
import type { Database, Tx } from '../../../db/database.ts';
import type { Refusal } from '../../../limits/refusal.ts';
import { findCurrentUser } from '../../account/store.ts';
import { type ActRefusal, type By, detailsOf, type JournalRow, lockAct, type Outcome } from '../journal.ts';
import { actBlock, actUnblock, type Person } from '../block-acts.ts';
import { actPace } from '../discussion-acts.ts';
import { actPin, actUnpin } from '../pin-acts.ts';
import { actUnwarn, personActs } from '../person-acts.ts';
import { actReopen, postActs } from '../post-acts.ts';

type Undo = (tx: Tx, id: number, by: By, undone: JournalRow) => Promise<Outcome>;

const withCalls: Readonly<Record<string, { carryOut: Undo } | undefined>> = { ...postActs, ...personActs };

/** The acts that undo others and have no such call, besides blocks. */
const inverses: Readonly<Record<Exclude<PostInverse, PostActName>, Undo> & Record<string, Undo>> = {
  reopen: actReopen,
  pace: (tx, post, by, undone) => actPace(tx, { post, seconds: detailsOf(undone).before ?? 0 }, by),
  pin: (tx, post, by, undone) => actPin(tx, { post, until: detailsOf(undone).until ?? null }, by),
  unpin: (tx, _post, by) => actUnpin(tx, by),
  unwarn: actUnwarn,
};

/** Whether an act is in effect and can be undone. */
export const isUndoable = (entry: JournalRow, now: number): boolean =>
  entry.ended_by === null && acts[entry.action]?.inverse !== undefined && !hasEnded(entry, now);

/** A block for a term ends by itself, and is then not to be put back either. */
const hasEnded = (entry: JournalRow, now: number): boolean =>
  acts[entry.action]?.target === 'person' && (detailsOf(entry).until ?? now + 1) <= now;

interface Undoing {
  by(tx: Tx): Promise<By>;
  isConfirmed(tx: Tx): Promise<boolean>;
}

/** Undoes an act, once. */
export async function undo(db: Database, id: number, undoing: Undoing): Promise<Outcome> {
  let entry: JournalRow | undefined;
  const begun = await db.tx(async (tx): Promise<Outcome | 'person'> => {
    entry = await lockAct(tx, id);
    if (!entry) return { refused: 'missing' };
    const { inverse, limit } = acts[entry.action] ?? {};
    if (inverse === undefined || entry.target_id === null) return { refused: 'not undoable' };
    if (limit === 'budget and code') return 'person';
    if (entry.ended_by !== null) return { refused: 'already' };
    const carryOut = withCalls[inverse]?.carryOut ?? inverses[inverse]!;
    return carryOut(tx, entry.target_id, { ...(await undoing.by(tx)), undoes: id }, entry);
  });
  return begun === 'person' ? undoOnPerson(db, entry!, undoing) : begun;
}

async function undoOnPerson(db: Database, { id, action, ...entry }: JournalRow, undoing: Undoing): Promise<Outcome> {
  let refusal: ActRefusal | undefined;
  const open = async (tx: Tx): Promise<{ person: Person; by: By } | Refusal<'missing'>> => {
    const by = { ...(await undoing.by(tx)), undoes: id };
    refusal = (await undoing.isConfirmed(tx)) ? undefined : { refused: 'unconfirmed' };
    // Locked, so that it is undone once.
    if (!refusal && (await lockAct(tx, id))?.ended_by !== null) refusal = { refused: 'already' };
    const person = refusal ? undefined : await findCurrentUser(tx.db, entry.target_id!);
    return person ? { person: { id: Number(person.id), username: person.username }, by } : { refused: 'missing' };
  };
  const {
    blocked_because: because = entry.reason,
    restore_posts: removePosts = false,
    until = null,
  } = detailsOf(entry);
  const { outcome } =
    action === 'block'
      ? await actUnblock(db, open, { restorePosts: true })
      : await actBlock(db, open, { removePosts, because, until });
  return refusal ?? outcome;
}
