import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { idleSeconds, lifetimeSeconds } from '../sessions/rules.ts';

const day = 24 * 3_600;

export type Statistics = Record<
  | 'people'
  | 'new_in_a_day'
  | 'new_in_a_week'
  | 'blocked'
  | 'sessions'
  | 'posts'
  | 'replies'
  | 'likes'
  | 'hidden_posts'
  | 'open_reports',
  number
>;

/** The wall in numbers. Posts are summed up from people's own counts: there may be millions. */
export async function statistics(db: Kysely<Schema>, now: number): Promise<Statistics> {
  const { rows } = await sql<Statistics>`
    select
      count(*) as people,
      count(*) filter (where created_at > ${now - day}) as new_in_a_day,
      count(*) filter (where created_at > ${now - 7 * day}) as new_in_a_week,
      count(*) filter (where blocked_at is not null) as blocked,
      (
        select count(*) from sessions s join users o on o.id = s.user_id
        where s.last_active_at > ${now - idleSeconds} and s.created_at > ${now - lifetimeSeconds}
          and o.blocked_at is null
      ) as sessions,
      cast(coalesce(sum(posts_count), 0) as bigint) as posts,
      cast(coalesce(sum(replies_count), 0) as bigint) as replies,
      cast(coalesce(sum(likes_count), 0) as bigint) as likes,
      (select count(*) from hidden_posts) as hidden_posts,
      (select count(*) from reports where settled_at is null) as open_reports
    from users where deleted_at is null`.execute(db);
  return rows[0]!;
}
