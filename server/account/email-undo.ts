import { hash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { endOperationsOf } from '../auth/store.ts';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { closeAllSessionsOf } from '../sessions/store.ts';
import { changeEmail, lockEmail } from './store.ts';

const hour = 3_600;
/** How long the address before can undo a change, and how long the address stays as it is after that. */
export const undoSeconds = 72 * hour;
/** How long the address before can refuse an operator's change before it takes effect. */
export const refusalSeconds = 48 * hour;

/** What is stored of a link's token: 256 random bits need no slow hash. */
const tokenHash = (token: string): string => hash('sha256', token, 'base64url');

const isRecent = (at: number, now: number): boolean => at > now - undoSeconds && at <= now + undoSeconds;

/** Changes that can still be undone. What a clock that was ahead has noted must lock nobody out. */
function openChanges(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('email_changes')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + 2 * undoSeconds);
}

interface Change {
  userId: number;
  /** The address before. */
  email: string;
  /** Of an operator's change, which takes effect when it can no longer be refused. */
  newEmail?: string;
  now: number;
}

/** Notes a change; resolves to the token of the link that undoes it. */
export async function addUndo({ db }: Tx, { userId, email, newEmail, now }: Change): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('email_changes')
    .values({
      token_hash: tokenHash(token),
      user_id: userId,
      email,
      new_email: newEmail ?? null,
      created_at: now,
      expires_at: now + (newEmail === undefined ? undoSeconds : refusalSeconds),
    })
    .execute();
  return token;
}

/** The address from which the account's open changes led away: several in a row lead back to the first one. */
export async function originalEmail(db: Kysely<Schema>, userId: number, now: number): Promise<string | undefined> {
  const row = await openChanges(db, now)
    .select('email')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('expires_at')
    .executeTakeFirst();
  return row?.email;
}

/** Seconds until none of the account's changes can be undone any more; 0 if none can. */
export async function secondsUndoable(db: Kysely<Schema>, userId: number, now: number): Promise<number> {
  const row = await openChanges(db, now)
    .select('expires_at')
    .where('user_id', '=', userId)
    .orderBy('expires_at', 'desc')
    .executeTakeFirst();
  return row ? row.expires_at - now : 0;
}

/** Whether an address has to stay free for the account that may still get it back. */
export async function isReservedEmail(db: Kysely<Schema>, email: string, now: number): Promise<boolean> {
  return (await openChanges(db, now).select('user_id').where('email', '=', email).executeTakeFirst()) !== undefined;
}

/** Seconds until the account's last undo is past; 0 if there is none. */
export async function secondsFrozen(db: Kysely<Schema>, userId: number, now: number): Promise<number> {
  const rows = await db
    .selectFrom('email_changes')
    .select('used_at')
    .where('user_id', '=', userId)
    .where('used_at', 'is not', null)
    .execute();
  const recent = rows.map((row) => row.used_at!).filter((at) => isRecent(at, now));
  return recent.length > 0 ? Math.max(...recent) + undoSeconds - now : 0;
}

/** Ends what may still be undone: its owner has confirmed the original address anew. */
export async function closeUndos({ db }: Tx, userId: number, now: number): Promise<void> {
  await db
    .updateTable('email_changes')
    .set({ expires_at: now, new_email: null })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
}

/** Operators' changes that can no longer be refused. */
export function dueChanges(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('email_changes')
    .select(['token_hash', 'user_id', 'email', 'new_email'])
    .where('new_email', 'is not', null)
    .where('used_at', 'is', null)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .execute();
}

/** False when it has been refused, or carried out by another process. */
export async function takeDueChange({ db }: Tx, hashed: string): Promise<boolean> {
  const taken = await db
    .updateTable('email_changes')
    .set({ new_email: null })
    .where('token_hash', '=', hashed)
    .where('new_email', 'is not', null)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return taken !== undefined;
}

export type Undo = { restored: string; abandoned: string } | 'used' | 'expired' | 'unknown';

/**
 * Puts the address back, once, and ends every session. All other links of the account are used up with it: they lead to
 * the same address.
 */
export async function undoChange(tx: Tx, token: string, now: number): Promise<Undo> {
  const { db } = tx;
  // Whoever comes second with the same link waits here.
  const change = await db
    .updateTable('email_changes')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('token_hash', '=', tokenHash(token))
    .returning(['user_id', 'email', 'expires_at', 'used_at'])
    .executeTakeFirst();
  if (!change) return 'unknown';
  if (change.used_at !== null) return 'used';
  if (change.expires_at <= now) return 'expired';
  const { user_id: userId, email } = change;
  await endOperationsOf(tx, userId);
  const abandoned = await lockEmail(tx, userId);
  await changeEmail(tx, userId, email);
  await closeAllSessionsOf(tx, userId);
  await db
    .updateTable('email_changes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  return { restored: email, abandoned };
}
