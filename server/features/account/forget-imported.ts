import type { ActOnPerson } from '../moderation/roles.ts';
import { lockUnclaimed } from '../moderation/claims.ts';
import { recordAct } from '../moderation/journal.ts';
import { deleteUser } from './store.ts';

/** Deletes what was imported of a person, who need not come for it. A job removes the posts. */
export const actForgetImported: ActOnPerson = async (tx, { id, username }, by) => {
  if (!(await lockUnclaimed(tx, id))) return { refused: 'already' };
  await deleteUser(tx, id, by.at);
  return { actId: await recordAct(tx, by, { action: 'forget-imported', target: username, targetId: id }) };
};
