import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { idleSeconds, isBlocked, lifetimeSeconds, type StoredBlock } from '../sessions/session-rules.ts';
import { closeAllSessionsOf } from '../sessions/session-store.ts';

/** The block of a person, if it has not ended. */
export async function findBlock(db: Kysely<Schema>, userId: number, now: number): Promise<StoredBlock | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['blocked_at', 'block_reason', 'blocked_until'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return user && isBlocked(user, now) ? user : undefined;
}

/** Locks the person until the end of the transaction: concurrent blocks, unblocks and appointments wait. */
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

/** Blocks a person until a time, or without end if `until` is null. False when the person was already blocked. */
export async function blockUser(
  tx: Tx,
  userId: number,
  reason: string,
  now: number,
  until: number | null = null,
): Promise<boolean> {
  tx.touch('members', 'best');
  const blocked = await tx.db
    .updateTable('users')
    .set({ blocked_at: now, block_reason: reason, blocked_until: until })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('blocked_at', 'is', null), eb('blocked_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst();
  // The search and lists of people show the end of the block when the job has cleared it.
  if (blocked && until !== null) await schedule(tx, { name: 'end-block', key: String(userId), at: until });
  return blocked !== undefined;
}

/** Clears a block whose term is over. Resolves to false when the person has no such block. */
export async function clearEndedBlock(tx: Tx, userId: number, now: number): Promise<boolean> {
  tx.touch('best');
  const ended = await tx.db
    .updateTable('users')
    .set(noBlock)
    .where('id', '=', userId)
    .where('blocked_until', '<=', now)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

const noBlock = { blocked_at: null, block_reason: null, blocked_until: null };

/** Ends a block and closes all sessions, so the person has to sign in again. False when the person was not blocked. */
export async function unblockUser(tx: Tx, userId: number): Promise<boolean> {
  const unblocked = await tx.db
    .updateTable('users')
    .set(noBlock)
    .where('id', '=', userId)
    .where('blocked_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  tx.touch('best');
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
      (select count(*) from removed_posts) as removed_posts,
      (select count(*) from reports where settled_at is null) as open_reports
    from users where ${isNotDeleted('users')}`.execute(db);
  return rows[0]!;
}
