import { lockUnclaimed } from '../moderation/claims.ts';
import { type CarryOut, recordAct } from '../moderation/journal.ts';
import { deleteUser } from './store.ts';

/** Deletes what was imported of a person, who need not come for it. A job removes the posts. */
export const actForgetImported: CarryOut = async (tx, id, by) => {
  const username = await lockUnclaimed(tx, id);
  if (username === undefined) return { refused: 'already' };
  await deleteUser(tx, id, by.at);
  return { actId: await recordAct(tx, by, { action: 'forget-imported', target: username, targetId: id }) };
};
