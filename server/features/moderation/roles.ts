import type { Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Role } from '../../db/account-tables.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { lockSetting } from '../../db/wall-settings.ts';
import { type CarryOut, recordAct } from './journal.ts';

// Operators give and take roles by the command line, owners at the desk.

const appointing =
  (role: Role): CarryOut =>
  async (tx, id, by) => {
    const isOwners = role === 'owner';
    const appointed = await tx.db
      .updateTable('users')
      .set({ role })
      .where('id', '=', id)
      .where('role', isOwners ? 'is distinct from' : 'is', isOwners ? role : null)
      .returning('username')
      .executeTakeFirst();
    if (!appointed) return { refused: 'already' };
    const action = isOwners ? 'appoint-owner' : 'appoint';
    return { actId: await recordAct(tx, by, { action, target: appointed.username, targetId: id }) };
  };

export const actAppointModerator = appointing('moderator');
export const actAppointOwner = appointing('owner');

/** The person's next request is that of somebody without the role. The last owner cannot be dismissed. */
export const actDismissModerator: CarryOut = async (tx, id, by) => {
  await lockOwners(tx);
  const { username, role } = (await findRole(tx.db, id)) ?? {};
  if (!username || !role) return { refused: 'already' };
  if (role === 'owner' && !(await hasOwner(tx.db, id))) return { refused: 'last owner' };
  await tx.db.updateTable('users').set({ role: null }).where('id', '=', id).execute();
  await tx.db.updateTable('sessions').set({ moderation_until: null }).where('user_id', '=', id).execute();
  const act = { action: 'dismiss-moderator', target: username, targetId: id } as const;
  return { actId: await recordAct(tx, by, role === 'owner' ? { ...act, details: { role } } : act) };
};

/** Until the end of the transaction nobody is dismissed and nobody becomes the first owner. */
export const lockOwners = (tx: Tx): Promise<unknown> => lockSetting(tx, 'owners');

/** Whether the wall has an owner who can act, besides one person. */
export async function hasOwner(db: Kysely<Schema>, besides = 0): Promise<boolean> {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'owner')
    .where('id', '<>', besides)
    .where(isNotDeleted('users'))
    .where(isNotBlocked('users'))
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}

export const isOwner = async (db: Kysely<Schema>, id: number): Promise<boolean> =>
  (await findRole(db, id))?.role === 'owner';

const findRole = (db: Kysely<Schema>, id: number) =>
  db.selectFrom('users').select(['username', 'role']).where('id', '=', id).executeTakeFirst();

/** The name of a person who is a moderator or an owner at this moment. */
export async function moderatorName(db: Kysely<Schema>, id: number): Promise<string | undefined> {
  const user = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', id)
    .where('role', 'is not', null)
    .where(isNotDeleted('users'))
    .where(isNotBlocked('users'))
    .executeTakeFirst();
  return user?.username;
}

/** How long a code confirms a moderator, in seconds. */
const confirmedSeconds = 15 * 60;

export async function confirmModerator({ db }: Tx, sessionId: number, now: number): Promise<number> {
  const until = now + confirmedSeconds;
  await db.updateTable('sessions').set({ moderation_until: until }).where('id', '=', sessionId).execute();
  return until;
}

/** Until when a code has confirmed the moderator in this session; null: not, or no longer. */
export async function confirmedUntil(db: Kysely<Schema>, sessionId: number, now: number): Promise<number | null> {
  const session = await db
    .selectFrom('sessions')
    .select('moderation_until')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  const until = session?.moderation_until ?? 0;
  // A later time was set by a clock that was ahead.
  return until > now && until <= now + confirmedSeconds ? until : null;
}
