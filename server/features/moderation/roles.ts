import type { Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { type By, type Outcome, recordAct } from './journal.ts';
import type { Person } from './person-acts.ts';

// Only operators give and take the role, by the command line.

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

/** The person's next request is that of somebody without the role. */
const actDismissModerator: ActOnPerson = async (tx, { id, username }, by) => {
  const dismissed = await tx.db
    .updateTable('users')
    .set({ role: null })
    .where('id', '=', id)
    .where('role', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (!dismissed) return { refused: 'already' };
  await tx.db.updateTable('sessions').set({ moderation_until: null }).where('user_id', '=', id).execute();
  return { actId: await recordAct(tx, by, { action: 'dismiss-moderator', target: username, targetId: id }) };
};

/** Carried out by their commands. */
export const roleActs = { appoint: actAppoint, 'dismiss-moderator': actDismissModerator };

/** The name of a person who is a moderator at this moment. */
export async function moderatorName(db: Kysely<Schema>, id: number): Promise<string | undefined> {
  const user = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', id)
    .where('role', '=', 'moderator')
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
