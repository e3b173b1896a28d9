import type { Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { endAllTokensOf } from '../api-tokens/token-store.ts';
import { idleSeconds, lifetimeSeconds, sessionsPerUser, type StoredBlock } from './session-rules.ts';

export interface NewSession {
  userId: number;
  cookieHash: string;
  clientToken: string;
  device: string;
  now: number;
}

/** Opens a session. If the person then has more sessions than allowed, closes the ones that have been idle longest. */
export async function openSession(tx: Tx, session: NewSession): Promise<number> {
  const { db } = tx;
  const { userId, cookieHash, clientToken, device, now } = session;
  // Concurrent sign-ins would not count each other's sessions.
  await lockAccount(tx, userId);
  const { id } = await db
    .insertInto('sessions')
    .values({
      user_id: userId,
      cookie_hash: cookieHash,
      client_token: clientToken,
      device,
      created_at: now,
      last_active_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // The new session is excluded: after the clock was set back, all others may have later times.
  const newest = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '!=', id)
    .orderBy('last_active_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sessionsPerUser - 1);
  const closed = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', id)
    .where('id', 'not in', newest)
    .returning('id')
    .execute();
  if (closed.length > 0) tx.touch('members');
  return id;
}

/** Locks an account until the end of the transaction. Resolves to its address once the lock is held. */
export async function lockAccount({ db }: Tx, id: number): Promise<string> {
  const { email } = await db
    .updateTable('users')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirstOrThrow();
  return email;
}

/** The owner of a session. A blocked person's sessions stay open, so that responses can give the reason. */
export interface SessionOwner extends StoredBlock {
  user_id: number;
  role: Schema['users']['role'];
}

const ownerOfSession = prepared<{ id: number }, SessionOwner>((db, slot) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.user_id', 'u.blocked_at', 'u.block_reason', 'u.blocked_until', 'u.role'])
    .where('s.id', '=', slot('id')),
);

/** The owner of an open session. Runs at every signed-in request. */
export async function findSessionOwner(db: Kysely<Schema>, id: number): Promise<SessionOwner | undefined> {
  const [owner] = await ownerOfSession(db, { id });
  return owner;
}

interface CookieParams {
  cookieHash: string;
  activeAfter: number;
  createdAfter: number;
}

interface FoundSession extends StoredBlock {
  id: number;
  user_id: number;
  created_at: number;
  last_active_at: number;
  client_token: string;
}

const sessionByCookie = prepared<CookieParams, FoundSession>((db, slot) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      's.id',
      's.user_id',
      's.created_at',
      's.last_active_at',
      's.client_token',
      'u.blocked_at',
      'u.block_reason',
      'u.blocked_until',
    ])
    .where('s.cookie_hash', '=', slot('cookieHash'))
    .where('s.last_active_at', '>', slot('activeAfter'))
    .where('s.created_at', '>', slot('createdAfter')),
);

/** The open session of a cookie. On a closed wall it runs at every request whose cookie `KnownMembers` does not remember. */
export async function findSessionByCookie(
  db: Kysely<Schema>,
  cookieHash: string,
  now: number,
): Promise<FoundSession | undefined> {
  const [session] = await sessionByCookie(db, {
    cookieHash,
    activeAfter: now - idleSeconds,
    createdAfter: now - lifetimeSeconds,
  });
  return session;
}

/**
 * Records that the session is in use; false when it has been closed. Never sets an earlier time: otherwise people who
 * were active while the clock was behind would be signed out when it is corrected.
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

/** Closes a session. False when the person has no such session. */
export async function closeSessionOf(tx: Tx, userId: number, id: number): Promise<boolean> {
  const row = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (row) tx.touch('members');
  return row !== undefined;
}

/** Closes the session of a cookie that is about to be replaced in the browser. It may belong to another person. */
export async function closeReplacedSession(tx: Tx, cookieHash: string): Promise<void> {
  const closed = await tx.db.deleteFrom('sessions').where('cookie_hash', '=', cookieHash).returning('id').execute();
  if (closed.length > 0) tx.touch('members');
}

/** Closes all sessions, ends the API tokens and deletes the known devices. Resolves to the numbers of sessions and tokens. */
export async function closeAllSessionsOf(tx: Tx, userId: number): Promise<{ sessions: number; tokens: number }> {
  tx.touch('members');
  const closed = await tx.db.deleteFrom('sessions').where('user_id', '=', userId).returning('id').execute();
  await tx.db.deleteFrom('known_devices').where('user_id', '=', userId).execute();
  return { sessions: closed.length, tokens: await endAllTokensOf(tx, userId) };
}

/** The device description of the session, as JSON. */
export async function findDevice(db: Kysely<Schema>, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('sessions').select('device').where('id', '=', id).executeTakeFirst();
  return row?.device;
}

export async function closeOtherSessionsOf(tx: Tx, userId: number, current: number): Promise<void> {
  tx.touch('members');
  await tx.db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', current).execute();
}
