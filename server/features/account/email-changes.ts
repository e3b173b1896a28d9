import { hash, randomBytes } from 'node:crypto';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { closeAllSessionsOf, lockAccount } from '../sessions/session-store.ts';
import { undoSeconds } from '../sign-in/sign-in-rules.ts';
import { endOperationsOf, findUserIdByEmail, isReservedEmail, undoableEmailChanges } from '../sign-in/sign-in-store.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { addressFrozen, emailUndoable } from './account-rules.ts';
import { changeEmail } from './account-store.ts';

/** An operator's change takes effect after this time. Until then the owner of the previous address can refuse it. */
export const refusalSeconds = 48 * 3_600;

/** Tokens of links are stored as hashes; 256 random bits need no slow hash. */
const tokenHash = (token: string): string => hash('sha256', token, 'base64url');

const isRecent = (at: number, now: number): boolean => at > now - undoSeconds && at <= now + undoSeconds;

interface Change {
  userId: number;
  /** The previous address. */
  email: string;
  /** The new address, if an operator changes it. It takes effect when it can no longer be refused. */
  newEmail?: string;
  now: number;
}

/** Records a change. Resolves to the token of the link that undoes it. */
export async function addEmailChange({ db }: Tx, { userId, email, newEmail, now }: Change): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const latest = await db
    .selectFrom('email_changes')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  await db
    .insertInto('email_changes')
    .values({
      token_hash: tokenHash(token),
      user_id: userId,
      email,
      new_email: newEmail ?? null,
      // Later changes have later times, even within one second and after the clock was set back.
      created_at: Math.max(now, (latest?.created_at ?? 0) + 1),
      expires_at: now + (newEmail === undefined ? undoSeconds : refusalSeconds),
    })
    .execute();
  return token;
}

/** The address before the earliest change of the account that can still be undone. */
export async function originalEmail(db: Kysely<Schema>, userId: number, now: number): Promise<string | undefined> {
  const row = await undoableEmailChanges(db, now)
    .select('email')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .executeTakeFirst();
  return row?.email;
}

/** Whether an address belongs to an account, or is reserved for another account that may still get it back. */
export async function isEmailTaken(
  db: Kysely<Schema>,
  { email, userId, now }: { email: string; userId: number; now: number },
): Promise<boolean> {
  if ((await findUserIdByEmail(db, email)) !== undefined) return true;
  return (await isReservedEmail(db, email, now)) && (await originalEmail(db, userId, now)) !== email;
}

/** Refuses an act while a change of the account can be undone. A change that an operator has ordered counts unless `onlyMade`. */
export async function refusalWhileUndoable(
  db: Kysely<Schema>,
  { userId, now, act, onlyMade = false }: { userId: number; now: number; act: string; onlyMade?: boolean },
): Promise<Refusal | undefined> {
  const row = await undoableEmailChanges(db, now)
    .select('expires_at')
    .where('user_id', '=', userId)
    .$if(onlyMade, (query) => query.where('new_email', 'is', null))
    .orderBy('expires_at', 'desc')
    .executeTakeFirst();
  return row && emailUndoable(act, row.expires_at - now);
}

/** Why the address cannot be changed now: a change was undone a while ago, or can still be undone. */
export async function refusalOfChange(db: Kysely<Schema>, userId: number, now: number): Promise<Refusal | undefined> {
  const frozen = await secondsFrozen(db, userId, now);
  if (frozen > 0) return addressFrozen(frozen);
  return refusalWhileUndoable(db, { userId, now, act: 'Изменить его снова', onlyMade: true });
}

/** Seconds during which the account's address cannot be changed because a change was undone; 0 if none was. */
async function secondsFrozen(db: Kysely<Schema>, userId: number, now: number): Promise<number> {
  const rows = await db
    .selectFrom('email_changes')
    .select('used_at')
    .where('user_id', '=', userId)
    .where('used_at', 'is not', null)
    .execute();
  const recent = rows.map((row) => row.used_at!).filter((at) => isRecent(at, now));
  return recent.length > 0 ? Math.max(...recent) + undoSeconds - now : 0;
}

/** An operator's change that has been neither refused nor applied. */
const isWaiting = (eb: ExpressionBuilder<Schema, 'email_changes'>) =>
  eb.and([eb('new_email', 'is not', null), eb('used_at', 'is', null)]);

/** Operators' changes that can no longer be refused. */
export function dueEmailChanges(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('email_changes')
    .select(['token_hash', 'user_id', 'email', 'new_email'])
    .where(isWaiting)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .execute();
}

/** Takes a due change; false when it has been refused, or applied by another process. */
export async function claimDueChange({ db }: Tx, hashed: string): Promise<boolean> {
  const taken = await db
    .updateTable('email_changes')
    .set({ new_email: null })
    .where('token_hash', '=', hashed)
    .where(isWaiting)
    .returning('user_id')
    .executeTakeFirst();
  return taken !== undefined;
}

export type Undo = { restored: string; abandoned: string } | 'used' | 'expired' | 'unknown';

/**
 * Restores the address and ends every session. Links of later changes and links to the same address become used too. An
 * earlier link to another address stays valid: if a thief has changed the address, an operator has changed it again, and the
 * thief refuses that change, the owner can still use the link that undoes the thief's change.
 */
export async function undoEmailChange(tx: Tx, token: string, now: number): Promise<Undo> {
  const { db } = tx;
  // The update locks the row: a second request with the same link waits here.
  const change = await db
    .updateTable('email_changes')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('token_hash', '=', tokenHash(token))
    .returning(['user_id', 'email', 'created_at', 'expires_at', 'used_at'])
    .executeTakeFirst();
  if (!change) return 'unknown';
  if (change.used_at !== null) return 'used';
  if (change.expires_at <= now) return 'expired';
  const { user_id: userId, email, created_at: madeAt } = change;
  await endOperationsOf(tx, userId);
  const abandoned = await lockAccount(tx, userId);
  await changeEmail(tx, userId, email);
  await closeAllSessionsOf(tx, userId);
  await db
    .updateTable('email_changes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where((eb) => eb.or([eb('created_at', '>=', madeAt), eb('email', '=', email)]))
    .execute();
  return { restored: email, abandoned };
}
