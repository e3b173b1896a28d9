import type { Database, Tx } from '../../../db/database.ts';
import { findCurrentUser } from '../../account/store.ts';
import { reopenSettledBy } from '../../reports/store.ts';
import { type By, isRefused, type JournalRow, lockAct, type Outcome } from '../journal.ts';
import { actBlock, actUnblock, type Person } from '../person-acts.ts';
import { actPin, actUnpin } from '../pin-acts.ts';
import { actRemove, actReopen, actRestore } from '../post-acts.ts';

type UndoPost = (tx: Tx, entry: JournalRow & { target_id: number }, by: By) => Promise<Outcome>;

interface Details {
  removed_because?: string;
  with_block?: boolean;
  blocked_because?: string;
  restore_posts?: boolean;
  until?: number | null;
}

const detailsOf = ({ details }: JournalRow): Details => JSON.parse(details ?? '{}') as Details;

/** How the acts on posts are undone: by the opposite act. */
const onPosts: Record<string, UndoPost> = {
  async remove(tx, { id, target_id: post }, by) {
    const outcome = await actRestore(tx, post, by);
    // The removal is as if it had not happened: what it settled is open again.
    if (!isRefused(outcome)) await reopenSettledBy(tx, post, id);
    return outcome;
  },
  restore(tx, entry, by) {
    const { removed_because: because = entry.reason, with_block: withBlock = false } = detailsOf(entry);
    return actRemove(tx, entry.target_id, by, { because, withBlock });
  },
  dismiss: (tx, { id, target_id: post }, by) => actReopen(tx, post, id, by),
  pin: (tx, _entry, by) => actUnpin(tx, by),
  unpin: (tx, entry, by) => actPin(tx, { post: entry.target_id, until: detailsOf(entry).until ?? null }, by),
};

const onPeople = new Set(['block', 'unblock']);

/** Whether an act is in effect and can be undone. */
export const isUndoable = ({ action, ended_by: endedBy }: JournalRow): boolean =>
  endedBy === null && (action in onPosts || onPeople.has(action));

interface Undoing {
  by(tx: Tx): Promise<By>;
  isConfirmed(tx: Tx): Promise<boolean>;
}

/** Undoes an act, once. */
export async function undo(db: Database, id: number, undoing: Undoing): Promise<Outcome> {
  let entry: JournalRow | undefined;
  const begun = await db.tx(async (tx): Promise<Outcome | 'person'> => {
    entry = await lockAct(tx, id);
    if (!entry) return { obstacle: 'missing' };
    const { action, target_id: target } = entry;
    if (onPeople.has(action)) return 'person';
    const undoPost = onPosts[action];
    if (!undoPost || target === null) return { obstacle: 'not undoable' };
    if (entry.ended_by !== null) return { obstacle: 'already' };
    return undoPost(tx, { ...entry, target_id: target }, { ...(await undoing.by(tx)), undoes: id });
  });
  return begun === 'person' ? undoOnPerson(db, entry!, undoing) : begun;
}

async function undoOnPerson(db: Database, { id, action, ...entry }: JournalRow, undoing: Undoing): Promise<Outcome> {
  let obstacle: 'already' | 'unconfirmed' | undefined;
  const open = async (tx: Tx): Promise<{ person: Person; by: By } | { obstacle: 'missing' }> => {
    const by = { ...(await undoing.by(tx)), undoes: id };
    obstacle = (await undoing.isConfirmed(tx)) ? undefined : 'unconfirmed';
    // Locked, so that it is undone once.
    if (!obstacle && (await lockAct(tx, id))?.ended_by !== null) obstacle = 'already';
    const person = obstacle ? undefined : await findCurrentUser(tx.db, entry.target_id!);
    return person ? { person: { id: Number(person.id), username: person.username }, by } : { obstacle: 'missing' };
  };
  const { blocked_because: because = entry.reason, restore_posts: removePosts = false } = JSON.parse(
    entry.details ?? '{}',
  ) as Details;
  const { outcome } =
    action === 'block'
      ? await actUnblock(db, open, { restorePosts: true })
      : await actBlock(db, open, { removePosts, because });
  return obstacle ? { obstacle } : outcome;
}
