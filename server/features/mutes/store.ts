import type { Kysely } from 'kysely';
import type { Owner } from '#contract/posts.ts';
import { limits } from '#contract/limits.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';

export async function listMutesOf(db: Kysely<Schema>, userId: number): Promise<Owner[]> {
  const rows = await db
    .selectFrom('mutes as m')
    .innerJoin('users as u', 'u.id', 'm.muted_id')
    .select(['u.id', 'u.username', 'u.display_name'])
    .where('m.user_id', '=', userId)
    .where(isNotDeleted('u'))
    .orderBy('m.created_at', 'desc')
    .orderBy('m.muted_id', 'desc')
    .execute();
  return rows.map(({ id, ...names }) => ({ id: String(id), ...names }));
}

interface Mute {
  userId: number;
  mutedId: number;
  now: number;
}

/** Muting again changes nothing. */
export async function addMute(tx: Tx, { userId, mutedId, now }: Mute): Promise<'added' | 'unknown' | 'too many'> {
  const muted = await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', mutedId)
    .where(isNotDeleted('users'))
    .executeTakeFirst();
  if (!muted) return 'unknown';
  const added = await tx.db
    .insertInto('mutes')
    .values({ user_id: userId, muted_id: mutedId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('muted_id')
    .execute();
  if (added.length === 0) return 'added';
  const beyond = await tx.db
    .selectFrom('mutes')
    .select('muted_id')
    .where('user_id', '=', userId)
    .limit(1)
    .offset(limits.mutes)
    .executeTakeFirst();
  if (beyond) return 'too many';
  tx.touch(`unread:${userId}`);
  return 'added';
}

export async function removeMute(tx: Tx, { userId, mutedId }: Omit<Mute, 'now'>): Promise<void> {
  const removed = await tx.db
    .deleteFrom('mutes')
    .where('user_id', '=', userId)
    .where('muted_id', '=', mutedId)
    .returning('muted_id')
    .execute();
  if (removed.length > 0) tx.touch(`unread:${userId}`);
}
