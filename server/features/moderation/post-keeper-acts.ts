import type { Kysely } from 'kysely';
import { type KeeperActName, keeperActs, type SettingAct, settingActs } from '#contract/keeper-acts.ts';
import { schedule } from '../../db/job-queue.ts';
import type { Schema } from '../../db/schema.ts';
import { lockRules, setRules } from '../posts/reply-rules.ts';
import { publishPending, removePending } from '../posts/pending-posts.ts';
import { isPinned, lockPin, type Pin, setPin } from '../lists/pinned.ts';
import { isRemoved } from '../posts/removed-posts.ts';
import { lockPost, lockVisiblePost } from '../posts/post-writes.ts';
import { claimSettled, ownerOfReported, reopenSettledBy, settleReports } from '../reports/report-store.ts';
import { type CarryOut, detailsOf, endAct, recordAct } from './journal.ts';
import { removePost, restoreRemoved } from './removal.ts';

const pinEntry = (action: 'pin' | 'unpin', { post, until }: Pin) => ({
  action,
  target: String(post),
  targetId: post,
  details: { until },
  endsAll: true as const,
});

/** Pins a root post, in place of another one. */
export const actPin: CarryOut = async (tx, id, by, { until = null }) => {
  const pin = { post: id, until };
  const post = await lockVisiblePost(tx, pin.post);
  if (!post) return { refused: 'missing' };
  if (post.replied_post_id !== null) return { refused: 'reply cannot be pinned' };
  if (!isPinned(pin, by.at)) return { refused: 'past' };
  const before = await lockPin(tx);
  if (before?.post === pin.post && before.until === pin.until) return { refused: 'already' };
  await setPin(tx, pin, by.at);
  // A job ends the pin, because cached responses show the post until something they depend on is written.
  if (pin.until !== null) await schedule(tx, { name: 'end-pin', at: pin.until });
  return { actId: await recordAct(tx, by, { ...pinEntry('pin', pin), ends: ['pin', 'unpin'] }) };
};

export const actUnpin: CarryOut = async (tx, _id, by) => {
  const before = await lockPin(tx);
  if (!isPinned(before, by.at)) return { refused: 'already' };
  await setPin(tx, null, by.at);
  return { actId: await recordAct(tx, by, { ...pinEntry('unpin', before), ends: ['pin'] }) };
};

const onPost = (action: KeeperActName, id: number) => ({ action, target: String(id), targetId: id });

/** Sets a column of a root post, as the row of the act says. An undo sets what the column contained before the undone act. */
const setColumn =
  (action: SettingAct): CarryOut =>
  async (tx, id, by, { undone }) => {
    const found = await lockRules(tx, id);
    if (!found) return { refused: 'missing' };
    const { sets, inverse } = keeperActs[action];
    const { column, to } = sets!;
    const { rootId, [column]: before } = found;
    const value = (undone && detailsOf(undone)[column]) ?? to;
    if (value === before) return { refused: 'already' };
    await setRules(tx, rootId, { [column]: value }, by.at);
    const entry = { ...onPost(action, rootId), details: { [column]: before }, ends: [inverse!] };
    return { actId: await recordAct(tx, by, entry) };
  };

export const columnActs = Object.fromEntries(settingActs.map((name) => [name, setColumn(name)])) as Record<
  SettingAct,
  CarryOut
>;

/** Sets how many seconds a person waits between two replies in the discussion of a post. */
export const actPace: CarryOut = async (tx, id, by, { seconds = 0 }) => {
  const found = await lockRules(tx, id);
  if (!found) return { refused: 'missing' };
  const { rootId, pace: before, closed_by: closedBy } = found;
  if (closedBy !== null) return { refused: 'closed' };
  if (before === seconds) return { refused: 'already' };
  await setRules(tx, rootId, { pace: seconds }, by.at);
  const entry = { ...onPost('pace', rootId), details: { before, seconds }, ends: ['pace'] as const };
  return { actId: await recordAct(tx, by, entry) };
};

/** Lets a newcomer's post through. `postId` is null when the reply is no longer possible: it goes back to its author. */
export const actApprove: CarryOut = async (tx, id, by) => {
  const published = await publishPending(tx, id, by.at);
  if (!published) return { refused: 'missing' };
  const targetId = published.postId ?? id;
  return { ...published, actId: await recordAct(tx, by, { action: 'approve', target: String(targetId), targetId }) };
};

/** Removes a post and settles the reports of it. The undo of a restoration gives the author the reason of the first removal. */
export const actRemove: CarryOut = async (tx, id, by, { because = by.reason, undone }) => {
  const { with_block: withBlock = false } = undone ? detailsOf(undone) : {};
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
  return { actId, counts: details };
};

/** Restores a removed post. Reports that the removal settled stay settled, unless this act undoes the removal. */
export const actRestore: CarryOut = async (tx, id, by, { undone }) => {
  const removal = await tx.db
    .selectFrom('removed_posts')
    .select(['user_id', 'reason', 'with_block'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (removal && removal.user_id === by.moderatorId) return { refused: 'own post' };
  const outcome = removal ? await restoreRemoved(tx, id, by.at) : 'not removed';
  if (outcome === 'author gone') return { refused: 'author gone' };
  if (outcome === 'not removed') return { refused: (await isShown(tx.db, id)) ? 'already' : 'missing' };
  const details = { removed_because: removal!.reason, with_block: removal!.with_block === 1 };
  const actId = await recordAct(tx, by, { ...onPost('restore', id), details, ends: ['remove'] });
  if (undone) await reopenSettledBy(tx, id, undone.id);
  return { actId, counts: { settled_reports: 0 } };
};

/** Settles the open reports of a post and leaves it as it is. */
export const actDismiss: CarryOut = async (tx, id, by) => {
  const ownerId = await ownerOfReported(tx.db, id);
  if (ownerId === undefined) return { refused: 'missing' };
  if (ownerId === by.moderatorId) return { refused: 'own post' };
  const settled = await settleReports(tx, id, by.at);
  if (settled === 0) return { refused: 'already' };
  const details = { settled_reports: settled };
  const actId = await recordAct(tx, by, { ...onPost('dismiss', id), details });
  await claimSettled(tx, [id], actId);
  return { actId, counts: details };
};

/** Opens exactly the reports that a dismissal settled. */
export const actReopen: CarryOut = async (tx, id, by, { undone }) => {
  const dismissal = undone!.id;
  if ((await ownerOfReported(tx.db, id)) === by.moderatorId) return { refused: 'own post' };
  const reopened = await reopenSettledBy(tx, id, dismissal);
  if (reopened === 0) return { refused: 'already' };
  const actId = await recordAct(tx, by, { ...onPost('reopen', id), details: { reopened_reports: reopened } });
  await endAct(tx, dismissal, actId);
  return { actId };
};

async function isShown(db: Kysely<Schema>, id: number): Promise<boolean> {
  const post = await db.selectFrom('posts').select('id').where('id', '=', id).executeTakeFirst();
  return post !== undefined;
}
