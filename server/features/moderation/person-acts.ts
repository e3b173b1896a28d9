import type { ActName } from '#contract/moderation-acts.ts';
import * as moderation from '#contract/moderation.ts';
import type { Tx } from '../../db/database.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { type By, type CarryOut, type Outcome, recordAct } from './journal.ts';
import { actDismissModerator } from './roles.ts';

/** Warns a person: their next page shows the reason. A second warning is refused until the first one is read. */
const actWarn: CarryOut = async (tx, id, by) => {
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

/** Ends or gives back the right to invite, of a person and the person's branch: whether a link admits is asked when it is used. */
const setRight =
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

interface PersonAct {
  /** All of these calls have the same schemas. */
  call: typeof moderation.warnPerson;
  carryOut: CarryOut;
}

export const personActs = {
  warn: { call: moderation.warnPerson, carryOut: actWarn },
  'end-inviting': { call: moderation.endInviting, carryOut: setRight(true) },
  'allow-inviting': { call: moderation.allowInviting, carryOut: setRight(false) },
  'dismiss-moderator': { call: moderation.dismissPerson, carryOut: actDismissModerator },
} as const satisfies Partial<Record<ActName, PersonAct>>;
