import type { Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Role, Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { lockSetting } from '../../db/wall-settings.ts';
import { type By, type Outcome, recordAct } from './journal.ts';
import type { Person } from './person-acts.ts';

// Operators give and take roles by the command line, owners at the desk.

/** An act that a command carries out. */
export type ActOnPerson = (tx: Tx, person: Person, by: By) => Promise<Outcome>;

const actAppoint: ActOnPerson = async (tx, { id, username }, by) => {
  const appointed = await tx.db
    .updateTable('users')
    .set({ role: 'moderator' })
    .where('id', '=', id)
    .where('role', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!appointed) return { refused: 'already' };
  return { actId: await recordAct(tx, by, { action: 'appoint', target: username, targetId: id }) };
};

export const actAppointOwner: ActOnPerson = async (tx, { id, username }, by) => {
  const appointed = await tx.db
    .updateTable('users')
    .set({ role: 'owner' })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('role', 'is', null), eb('role', '<>', 'owner')]))
    .returning('id')
    .executeTakeFirst();
  if (!appointed) return { refused: 'already' };
  return { actId: await recordAct(tx, by, { action: 'appoint-owner', target: username, targetId: id }) };
};

/** The person's next request is that of somebody without the role. The last owner cannot be dismissed. */
const actDismissModerator: ActOnPerson = async (tx, { id, username }, by) => {
  await lockOwners(tx);
  const role = await roleOf(tx.db, id);
  if (!role) return { refused: 'already' };
  if (role === 'owner' && !(await hasOwner(tx.db, id))) return { refused: 'last owner' };
  await tx.db.updateTable('users').set({ role: null }).where('id', '=', id).execute();
  await tx.db.updateTable('sessions').set({ moderation_until: null }).where('user_id', '=', id).execute();
  const act = { action: 'dismiss-moderator', target: username, targetId: id } as const;
  return { actId: await recordAct(tx, by, role === 'owner' ? { ...act, details: { role } } : act) };
};

/** Carried out by their commands. */
export const roleActs = { appoint: actAppoint, 'dismiss-moderator': actDismissModerator };

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

export const isOwner = async (db: Kysely<Schema>, id: number): Promise<boolean> => (await roleOf(db, id)) === 'owner';

async function roleOf(db: Kysely<Schema>, id: number): Promise<Role | null | undefined> {
  return (await db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst())?.role;
}

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
