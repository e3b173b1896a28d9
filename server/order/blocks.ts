import type { Kysely } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { closeAllSessionsOf } from '../sessions/store.ts';

/** Why somebody is blocked; undefined while they are not. */
export async function findBlockReason(db: Kysely<Schema>, userId: number): Promise<string | undefined> {
  const user = await db
    .selectFrom('users')
    .select('block_reason')
    .where('id', '=', userId)
    .where('blocked_at', 'is not', null)
    .executeTakeFirst();
  return user?.block_reason ?? undefined;
}

/** False when the person is blocked already. */
export async function blockUser({ db }: Tx, userId: number, reason: string, now: number): Promise<boolean> {
  const blocked = await db
    .updateTable('users')
    .set({ blocked_at: now, block_reason: reason })
    .where('id', '=', userId)
    .where('blocked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return blocked !== undefined;
}

/** No session outlives a block: they sign in anew. False when the person is not blocked. */
export async function unblockUser(tx: Tx, userId: number): Promise<boolean> {
  const unblocked = await tx.db
    .updateTable('users')
    .set({ blocked_at: null, block_reason: null })
    .where('id', '=', userId)
    .where('blocked_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (unblocked) await closeAllSessionsOf(tx, userId);
  return unblocked !== undefined;
}
