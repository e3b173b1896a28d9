import type { Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { idleSeconds, lifetimeSeconds, newDeviceSeconds, sessionsPerUser } from './rules.ts';

export interface NewSession {
  userId: number;
  cookieHash: string;
  clientToken: string;
  device: string;
  /** Whether the account did not know the device when the session was opened. */
  isNewDevice?: boolean;
  now: number;
}

/** Opens a session; of the others those longest idle beyond the allowed number are closed. */
export async function openSession({ db }: Tx, session: NewSession): Promise<number> {
  const { userId, cookieHash, clientToken, device, isNewDevice = false, now } = session;
  await takeUser(db, userId);
  const { id } = await db
    .insertInto('sessions')
    .values({
      user_id: userId,
      cookie_hash: cookieHash,
      client_token: clientToken,
      device,
      created_at: now,
      last_active_at: now,
      new_device: isNewDevice ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // The new one is no candidate: a clock that has been set back since may have dated all others later.
  const kept = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '!=', id)
    .orderBy('last_active_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sessionsPerUser - 1);
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', id)
    .where('id', 'not in', kept)
    .execute();
  return id;
}

/** Who signs in at the same moment waits here, as neither would see the other's session among those to count. */
async function takeUser(db: Tx['db'], id: number): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .execute();
}

/** Whose session it is. A blocked person's is kept, so that they can be told why it opens nothing. */
export interface SessionOwner {
  user_id: number;
  blocked_at: number | null;
  block_reason: string | null;
}

const ownerOfSession = prepared<{ id: number }, SessionOwner>((db, slot) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.user_id', 'u.blocked_at', 'u.block_reason'])
    .where('s.id', '=', slot('id')),
);

/** Whose session it is, while it is open. Asked at every signed-in request. */
export async function findSessionOwner(db: Kysely<Schema>, id: number): Promise<SessionOwner | undefined> {
  const [owner] = await ownerOfSession(db, { id });
  return owner;
}

export function findSessionByCookie(db: Kysely<Schema>, cookieHash: string, now: number) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.created_at', 'u.blocked_at', 'u.block_reason'])
    .where('s.cookie_hash', '=', cookieHash)
    .where('s.last_active_at', '>', now - idleSeconds)
    .where('s.created_at', '>', now - lifetimeSeconds)
    .executeTakeFirst();
}

/**
 * Notes that the session is in use; false when it has been closed meanwhile. It never makes one look older: a clock that
 * is behind would sign out, once it is set right, whoever was there meanwhile.
 */
export async function renewSession({ db }: Tx, id: number, clientToken: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .set((eb) => ({
      client_token: clientToken,
      last_active_at: eb.case().when('last_active_at', '>', now).then(eb.ref('last_active_at')).else(now).end(),
    }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export function listSessionsOf(db: Kysely<Schema>, userId: number, now: number) {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'last_active_at'])
    .where('user_id', '=', userId)
    .where('last_active_at', '>', now - idleSeconds)
    .where('created_at', '>', now - lifetimeSeconds)
    .orderBy('last_active_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** False when the person has no such session. */
export async function closeSessionOf({ db }: Tx, userId: number, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets the devices as well. Resolves to how many sessions there were. */
export async function closeAllSessionsOf({ db }: Tx, userId: number): Promise<number> {
  const closed = await db.deleteFrom('sessions').where('user_id', '=', userId).returning('id').execute();
  await db.deleteFrom('known_devices').where('user_id', '=', userId).execute();
  return closed.length;
}

/** Whether a session was opened a short while ago on a device that the account did not know. */
export async function isUnconfirmed(db: Kysely<Schema>, id: number, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', id)
    .where('new_device', '=', 1)
    .executeTakeFirst();
  return row !== undefined && Math.abs(now - row.created_at) < newDeviceSeconds;
}

export async function confirmSession({ db }: Tx, id: number): Promise<void> {
  await db.updateTable('sessions').set({ new_device: 0 }).where('id', '=', id).execute();
}

/** What the session's browser said of itself, as JSON. */
export async function findDevice(db: Kysely<Schema>, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('sessions').select('device').where('id', '=', id).executeTakeFirst();
  return row?.device;
}

export async function closeOtherSessionsOf({ db }: Tx, userId: number, current: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', current).execute();
}
