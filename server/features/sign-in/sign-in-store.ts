import type { Kysely } from 'kysely';
import { serverLimits } from '#contract/limits.ts';
import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { skeletonOf } from '../../names/skeleton.ts';
import { newUsername, type Purpose, triesPerOperation, undoSeconds } from './sign-in-rules.ts';

export interface Operation {
  id: string;
  purpose: Purpose;
  email: string;
  /** The account to change; null at sign-in. */
  userId: number | null;
  clientToken: string;
  device: string;
  codeHash: string;
  /** The hash of the invitation that came with a registration. */
  invite: string | null;
  /** The hash of the consent that came with a registration. */
  consent: string | null;
  now: number;
  expiresAt: number;
}

/** Starts an operation in place of an earlier one for the same address, purpose and client. Operations of other clients stay. */
export async function startOperation({ db }: Tx, operation: Operation): Promise<void> {
  const { id, purpose, email, userId, clientToken, device, codeHash, invite, consent, now, expiresAt } = operation;
  await db
    .deleteFrom('operations')
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('client_token', '=', clientToken)
    .execute();
  await db
    .insertInto('operations')
    .values({
      id,
      purpose,
      email,
      user_id: userId,
      client_token: clientToken,
      device,
      code_hash: codeHash,
      invite,
      consent,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
}

export function findOperation(db: Kysely<Schema>, id: string) {
  return db
    .selectFrom('operations')
    .select(['id', 'purpose', 'email', 'user_id', 'client_token', 'device', 'code_hash', 'attempts', 'expires_at'])
    .select(['invite', 'consent'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Uses a try before the code is compared. Resolves to the number of used tries; undefined when all had been used. */
export async function useTry({ db }: Tx, id: string): Promise<number | undefined> {
  const row = await db
    .updateTable('operations')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('attempts', '<', triesPerOperation)
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts;
}

export async function endOperation({ db }: Tx, id: string): Promise<void> {
  await db.deleteFrom('operations').where('id', '=', id).execute();
}

/** Ends the operations that would change an account. */
export async function endOperationsOf({ db }: Tx, userId: number): Promise<void> {
  await db.deleteFrom('operations').where('user_id', '=', userId).execute();
}

export async function isKnownDevice(db: Kysely<Schema>, userId: number, cookieHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('cookie_hash', '=', cookieHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function rememberDevice({ db }: Tx, userId: number, cookieHash: string, now: number): Promise<void> {
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, cookie_hash: cookieHash, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'cookie_hash']).doUpdateSet({ last_used_at: now }))
    .execute();
}

const idByEmail = prepared<{ email: string }, { id: number }>((db, slot) =>
  db.selectFrom('users').select('id').where('email', '=', slot('email')),
);

export async function findUserIdByEmail(db: Kysely<Schema>, email: string): Promise<number | undefined> {
  const [row] = await idByEmail(db, { email });
  return row?.id;
}

/** Finds the account of an address, or creates it with a generated username. */
export async function findOrCreateUser(
  { db }: Tx,
  email: string,
  now: number,
): Promise<{ userId: number; isNew: boolean }> {
  for (;;) {
    const known = await findUserIdByEmail(db, email);
    if (known !== undefined) return { userId: known, isNew: false };
    const username = newUsername();
    // On a conflict the loop finds the account that now has the address, or tries another name.
    const created = await db
      .insertInto('users')
      .values({
        username,
        username_key: usernameKey(username),
        email,
        created_at: now,
        newcomer_until: now + serverLimits.newHereSeconds,
        // The name was generated just now, so no other account can look like it, and no namesake is looked for.
        name_skeleton: skeletonOf(username),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created) return { userId: created.id, isNew: true };
  }
}

/** Records which version of the consent the owner of a new account has agreed to. */
export async function recordConsent(
  { db }: Tx,
  { userId, textHash, now }: { userId: number; textHash: string; now: number },
): Promise<void> {
  await db.insertInto('consents').values({ user_id: userId, document_hash: textHash, at: now }).execute();
}

export function findConsents(db: Kysely<Schema>, userId: number): Promise<{ document_hash: string; at: number }[]> {
  return db
    .selectFrom('consents')
    .select(['document_hash', 'at'])
    .where('user_id', '=', userId)
    .orderBy('at')
    .execute();
}

/**
 * Changes of address that can still be undone. A change whose end is too far in the future was recorded before the clock was
 * set back, and is ignored.
 */
export function undoableEmailChanges(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('email_changes')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + 2 * undoSeconds);
}

/** Whether an address is reserved, because a change that can be undone may return it to its account. */
export async function isReservedEmail(db: Kysely<Schema>, email: string, now: number): Promise<boolean> {
  const change = await undoableEmailChanges(db, now).select('user_id').where('email', '=', email).executeTakeFirst();
  return change !== undefined;
}
