import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { idleSeconds, lifetimeSeconds } from '../sessions/rules.ts';
import { closeAllSessionsOf } from '../sessions/store.ts';

/** The reason for which a person is blocked; undefined for a person who is not. */
export async function findBlockReason(db: Kysely<Schema>, userId: number): Promise<string | undefined> {
  const user = await db
    .selectFrom('users')
    .select('block_reason')
    .where('id', '=', userId)
    .where('blocked_at', 'is not', null)
    .executeTakeFirst();
  return user?.block_reason ?? undefined;
}

/** Nobody else blocks, unblocks or appoints the person before the transaction ends. */
export async function lockPerson(
  { db }: Tx,
  userId: number,
): Promise<{ role: string | null; blocked_at: number | null } | undefined> {
  return db
    .updateTable('users')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('id', '=', userId)
    .returning(['role', 'blocked_at'])
    .executeTakeFirst();
}

/** False when the person was already blocked. */
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

/** Closes the sessions as well: the person signs in again. False when the person was not blocked. */
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

const day = 24 * 3_600;

export type Statistics = Record<
  | 'people'
  | 'new_in_a_day'
  | 'new_in_a_week'
  | 'blocked'
  | 'moderators'
  | 'sessions'
  | 'posts'
  | 'replies'
  | 'likes'
  | 'removed_posts'
  | 'open_reports',
  number
>;

/** Numbers of the whole wall. Posts and likes are sums of the people's counts: counting millions of rows is slow. */
export async function statistics(db: Kysely<Schema>, now: number): Promise<Statistics> {
  const { rows } = await sql<Statistics>`
    select
      count(*) as people,
      count(*) filter (where created_at > ${now - day}) as new_in_a_day,
      count(*) filter (where created_at > ${now - 7 * day}) as new_in_a_week,
      count(*) filter (where blocked_at is not null) as blocked,
      count(*) filter (where role = 'moderator') as moderators,
      (
        select count(*) from sessions s join users o on o.id = s.user_id
        where s.last_active_at > ${now - idleSeconds} and s.created_at > ${now - lifetimeSeconds}
          and o.blocked_at is null
      ) as sessions,
      cast(coalesce(sum(posts_count), 0) as bigint) as posts,
      cast(coalesce(sum(replies_count), 0) as bigint) as replies,
      cast(coalesce(sum(likes_count), 0) as bigint) as likes,
      (select count(*) from removed_posts where by_author = 0) as removed_posts,
      (select count(*) from reports where settled_at is null) as open_reports
    from users where ${isNotDeleted('users')}`.execute(db);
  return rows[0]!;
}
