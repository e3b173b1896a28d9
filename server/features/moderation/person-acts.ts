import type { Tx } from '../../db/database.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { removePendingOf } from '../posts/pending-posts.ts';
import { closeAllSessionsOf } from '../sessions/session-store.ts';
import { type ActRefusal, type By, type CarryOut, onPerson, type Outcome, recordAct, type Sequel } from './journal.ts';
import { hasRemovedWithBlock, leaveRemoved, removeAllPostsOf, restoreAllPostsOf } from './removal.ts';
import { blockUser, clearEndedBlock, findBlock, lockPerson, unblockUser } from './moderation-store.ts';

/** Blocks a person, until a time or without end. */
export const actBlock: CarryOut = async (tx, id, by, { removePosts = false, because = by.reason, until = null }) => {
  if (until !== null && until <= by.at) return { refused: 'past' };
  const refusal = await refusalFor(tx, id, by);
  if (refusal) return refusal;
  if (!(await blockUser(tx, id, because, by.at, until))) return { refused: 'already' };
  const details = { remove_posts: removePosts, ...(until !== null && { until }) };
  return { actId: await recordAct(tx, by, { ...(await onPerson(tx, 'block', id, details)), ends: ['unblock'] }) };
};

/** Removes the posts of a blocked person in batches. */
export const continueBlock: Sequel = async (db, id, by, { removePosts = false, because = by.reason }) => {
  const removal = { userId: id, reason: because, now: by.at };
  const record = async (tx: Tx, posts: number[]) =>
    recordAct(tx, by, await onPerson(tx, 'remove-posts', id, { posts }));
  // Pending posts are always removed, because no post of a blocked person is published.
  const waiting = await db.tx(async (tx) => {
    const ids = await removePendingOf(tx, id, removal);
    if (ids.length > 0) await record(tx, ids);
    return ids.length;
  });
  return { removed_posts: waiting + (removePosts ? await removeAllPostsOf(db, removal, record) : 0) };
};

export const actUnblock: CarryOut = async (tx, id, by, { restorePosts = false }) => {
  const refusal = await refusalFor(tx, id, by);
  if (refusal) return refusal;
  const held = await findBlock(tx.db, id, by.at);
  if (!(await unblockUser(tx, id))) return { refused: 'already' };
  // The undo of this act removes posts only if this act has restored some.
  const restores = restorePosts && (await hasRemovedWithBlock(tx, id));
  if (!restorePosts) await leaveRemoved(tx, id);
  const details = {
    restore_posts: restores,
    ...(held && { blocked_because: held.block_reason }),
    ...(held?.blocked_until && { until: held.blocked_until }),
  };
  return { actId: await recordAct(tx, by, { ...(await onPerson(tx, 'unblock', id, details)), ends: ['block'] }) };
};

/** Restores the posts that were removed with the block. */
export const continueUnblock: Sequel = async (db, id, by, { restorePosts = false }) => {
  if (!restorePosts) return { restored_posts: 0 };
  const record = async (tx: Tx, posts: number[]) =>
    recordAct(tx, by, await onPerson(tx, 'restore-posts', id, { posts }));
  return { restored_posts: await restoreAllPostsOf(db, { userId: id, now: by.at }, record) };
};

/** Only operators block and unblock moderators and owners. For a moderator it locks the person, so that a concurrent appointment waits. */
async function refusalFor(tx: Tx, id: number, { moderatorId }: By): Promise<ActRefusal | undefined> {
  if (moderatorId === undefined) return undefined;
  if (moderatorId === id) return { refused: 'oneself' };
  return (await lockPerson(tx, id))?.role ? { refused: 'moderator' } : undefined;
}

/** Ends a block whose term is over. Posts removed with it stay removed, and moderators can only restore them one by one. */
export async function endBlock(tx: Tx, userId: number, now: number): Promise<void> {
  if (await clearEndedBlock(tx, userId, now)) await leaveRemoved(tx, userId);
}

/** Warns a person: the person's next page shows the reason. A second warning is refused until the first one is read. */
export const actWarn: CarryOut = async (tx, id, by) => {
  if (id === by.moderatorId) return { refused: 'oneself' };
  const warned = await tx.db
    .updateTable('users')
    .set({ warning: by.reason })
    .where('id', '=', id)
    .where('warning', 'is', null)
    .where(isNotDeleted('users'))
    .returning('username')
    .executeTakeFirst();
  if (!warned) return { refused: 'already' };
  return { actId: await recordAct(tx, by, { action: 'warn', target: warned.username, targetId: id }) };
};

/** Withdraws a warning that has not been read. */
export const actUnwarn: CarryOut = (tx, id, by) => end(tx, id, by, 'unwarn');

/** Records in the journal that the person has read the warning. */
export async function readWarning(tx: Tx, id: number, now: number): Promise<void> {
  await end(tx, id, { at: now, operator: '', moderatorId: id, reason: '' }, 'read-warning');
}

async function end(tx: Tx, id: number, by: By, action: 'unwarn' | 'read-warning'): Promise<Outcome> {
  const person = await tx.db
    .updateTable('users')
    .set({ warning: null })
    .where('id', '=', id)
    .where('warning', 'is not', null)
    .returning('username')
    .executeTakeFirst();
  if (!person) return { refused: 'already' };
  const operator = by.operator || person.username;
  const act = { action, target: person.username, targetId: id, ends: ['warn'] } as const;
  return { actId: await recordAct(tx, { ...by, operator }, act) };
}

/** Ends or restores the right to invite for a person's branch. Links are not changed: the right is checked when a link is used. */
export const setRightToInvite =
  (isEnded: boolean): CarryOut =>
  async (tx, id, by) => {
    const { db } = tx;
    const found = await db
      .selectFrom('users')
      .select(['username', 'role'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!found) return { refused: 'missing' };
    if (isEnded && found.role) return { refused: 'moderator' };
    const changed = await db
      .updateTable('users')
      .set({ invites_ended_at: isEnded ? by.at : null })
      .where('id', '=', id)
      .where('invites_ended_at', isEnded ? 'is' : 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return { refused: 'already' };
    const [action, ended] = isEnded
      ? (['end-inviting', 'allow-inviting'] as const)
      : (['allow-inviting', 'end-inviting'] as const);
    const act = { action, target: found.username, targetId: id, details: { user: id } };
    return { actId: await recordAct(tx, by, { ...act, ends: [ended] }) };
  };

/** Ends all sessions and tokens of a person. */
export const actCloseSessions: CarryOut = async (tx, id, by) => {
  const ended = await closeAllSessionsOf(tx, id);
  const actId = await recordAct(tx, by, await onPerson(tx, 'close-sessions', id, ended));
  return { actId, counts: { closed_sessions: ended.sessions, ended_tokens: ended.tokens } };
};
