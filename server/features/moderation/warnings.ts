import type { Tx } from '../../db/database.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { type By, type Outcome, recordAct } from './journal.ts';
import type { ActOnPerson } from './roles.ts';

/** Warns a person, who reads the reason on their next page. One warning at a time: the next one waits until it is read. */
export const actWarn: ActOnPerson = async (tx, { id, username }, by) => {
  if (id === by.moderatorId) return { refused: 'oneself' };
  const warned = await tx.db
    .updateTable('users')
    .set({ warning: by.reason })
    .where('id', '=', id)
    .where('warning', 'is', null)
    .where(isNotDeleted('users'))
    .returning('id')
    .executeTakeFirst();
  if (!warned) return { refused: 'already' };
  return { actId: await recordAct(tx, by, { action: 'warn', target: username, targetId: id }) };
};

/** Takes a warning back before it was read. */
export const actUnwarn = (tx: Tx, id: number, by: By): Promise<Outcome> => end(tx, id, by, 'unwarn');

/** The person has read the warning. The journal says so to the moderators. */
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
