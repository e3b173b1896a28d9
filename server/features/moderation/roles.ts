import type { Kysely } from 'kysely';
import { isNameless, shownName } from '#contract/username.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import type { Role } from '../../db/account-tables.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { lockSetting, putSetting, readSetting } from '../../db/wall-setting-rows.ts';
import { type CarryOut, recordAct } from './journal.ts';

// Operators appoint and dismiss from the command line, owners at the desk.

export const actAppoint: CarryOut = async (tx, id, by, { owner: isOwners = false }) => {
  const role: Role = isOwners ? 'owner' : 'moderator';
  if (isOwners) await putSetting(tx, ownersKey, hadOwner);
  const appointed = await tx.db
    .updateTable('users')
    // Posts of an owner do not say that the owner is new here.
    .set(isOwners ? { role, newcomer_until: null } : { role })
    .where('id', '=', id)
    .where('role', isOwners ? 'is distinct from' : 'is', isOwners ? role : null)
    .returning('username')
    .executeTakeFirst();
  if (!appointed) return { refused: 'already' };
  if (isOwners) tx.touch(`user:${id}`);
  const action = isOwners ? 'appoint-owner' : 'appoint';
  return { actId: await recordAct(tx, by, { action, target: appointed.username, targetId: id }) };
};

/** Takes the role of a person, with effect from the next request. The last owner cannot be dismissed. */
export const actDismissModerator: CarryOut = async (tx, id, by) => {
  await lockOwners(tx);
  const { username, role } = (await findRole(tx.db, id)) ?? {};
  if (!username || !role) return { refused: 'already' };
  if (await isLastOwner(tx.db, id)) return { refused: 'last owner' };
  await tx.db.updateTable('users').set({ role: null }).where('id', '=', id).execute();
  await tx.db.updateTable('sessions').set({ moderation_until: null }).where('user_id', '=', id).execute();
  const act = { action: 'dismiss-moderator', target: username, targetId: id } as const;
  return { actId: await recordAct(tx, by, role === 'owner' ? { ...act, details: { role } } : act) };
};

/** The key in `wall_settings` that says whether the wall has ever had an owner. */
const ownersKey = 'owners';
const hadOwner = '"had"';

/** Locks until the end of the transaction: no owner is dismissed or leaves, and nobody becomes the first owner. */
export const lockOwners = (tx: Tx): Promise<unknown> => lockSetting(tx, ownersKey);

/** Whether the wall has never had an owner. Later owners are appointed by owners or operators. */
export const waitsForOwner = async (db: Kysely<Schema>): Promise<boolean> =>
  (await readSetting(db, ownersKey)) !== hadOwner && !(await hasOwner(db));

/** Whether the wall has an owner who can act, other than `besides`. */
async function hasOwner(db: Kysely<Schema>, besides = 0): Promise<boolean> {
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

/** Whether the person is the only owner who can act. */
export const isLastOwner = async (db: Kysely<Schema>, id: number): Promise<boolean> =>
  (await isOwner(db, id)) && !(await hasOwner(db, id));

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

/** Whether a code has confirmed the moderator in this session less than `confirmedSeconds` ago. */
export async function isConfirmed(db: Kysely<Schema>, sessionId: number, now: number): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('moderation_until')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  const until = session?.moderation_until ?? 0;
  // A later time was set by a clock that was ahead, and does not count.
  return until > now && until <= now + confirmedSeconds;
}

/** The shown name of the first owner who has chosen a name. */
export async function nameOfOwner(db: Kysely<Schema>): Promise<string | null> {
  const owners = await db
    .selectFrom('users')
    .select(['username', 'display_name'])
    .where('role', '=', 'owner')
    .where(isNotDeleted('users'))
    .orderBy('id')
    .execute();
  const named = owners.find((owner) => !isNameless(owner));
  return named ? shownName(named) : null;
}

/** The owner who shows the codes of new people on a wall without a mail server. The name is the same for every address. */
export async function whomToAsk(db: Kysely<Schema>, { smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<{ ask?: string }> {
  const ask = smtpUrl === undefined && (await nameOfOwner(db));
  return ask ? { ask } : {};
}
