import type { Kysely } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { type Purpose, triesPerOperation } from './rules.ts';

export interface Operation {
  id: string;
  purpose: Purpose;
  email: string;
  /** Whose account is to change; null at sign-in. */
  userId: number | null;
  clientToken: string;
  device: string;
  codeHash: string;
  /** The hash of the invitation that came with a registration. */
  invite: string | null;
  now: number;
  expiresAt: number;
}

/** A new code replaces the older one of the same address, purpose and client; never another client's. */
export async function startOperation({ db }: Tx, operation: Operation): Promise<void> {
  const { id, purpose, email, userId, clientToken, device, codeHash, invite, now, expiresAt } = operation;
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
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
}

export function findOperation(db: Kysely<Schema>, id: string) {
  return db
    .selectFrom('operations')
    .select(['id', 'purpose', 'email', 'user_id', 'client_token', 'device', 'code_hash', 'attempts', 'expires_at'])
    .select('invite')
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Uses up one try, before anything is compared; the number of tries used so far, or undefined when none is left. */
export async function takeTry({ db }: Tx, id: string): Promise<number | undefined> {
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

/** Of the changes that a person has begun to make to their account. */
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
