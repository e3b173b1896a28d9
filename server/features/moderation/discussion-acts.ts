import { closed } from '#contract/pace.ts';
import type { Tx } from '../../db/database.ts';
import { lockPace, setPace } from '../posts/pace.ts';
import { type By, type CarryOut, detailsOf, type Outcome, recordAct } from './journal.ts';

const onRoot = (action: 'lock' | 'unlock' | 'pace', id: number, details: { before: number; seconds?: number }) => ({
  action,
  target: String(id),
  targetId: id,
  details,
});

/** Closes the discussion of a post: nobody can reply any more. */
export const actLock: CarryOut = async (tx, id, by) => {
  const found = await lockPace(tx, id);
  if (!found) return { refused: 'missing' };
  const { rootId, pace: before } = found;
  if (before === closed) return { refused: 'already' };
  await setPace(tx, rootId, closed);
  return { actId: await recordAct(tx, by, { ...onRoot('lock', rootId, { before }), ends: ['unlock'] }) };
};

/** Opens it again. The undo also restores its pace. */
export const actUnlock: CarryOut = async (tx, id, by, undone) => {
  const found = await lockPace(tx, id);
  if (!found) return { refused: 'missing' };
  const { rootId, pace: before } = found;
  if (before !== closed) return { refused: 'already' };
  await setPace(tx, rootId, undone ? (detailsOf(undone).before ?? 0) : 0);
  return { actId: await recordAct(tx, by, { ...onRoot('unlock', rootId, { before }), ends: ['lock'] }) };
};

/** Sets how many seconds a person waits between two replies in the discussion of a post. */
export async function actPace(tx: Tx, { post, seconds }: { post: number; seconds: number }, by: By): Promise<Outcome> {
  const found = await lockPace(tx, post);
  if (!found) return { refused: 'missing' };
  const { rootId, pace: before } = found;
  if (before === closed) return { refused: 'closed' };
  if (before === seconds) return { refused: 'already' };
  await setPace(tx, rootId, seconds);
  return { actId: await recordAct(tx, by, { ...onRoot('pace', rootId, { before, seconds }), ends: ['pace'] }) };
}
