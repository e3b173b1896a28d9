import { type Kysely, sql } from 'kysely';
import type { Day } from '#contract/wall-admin.ts';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { isUnclaimed } from '../moderation/claims.ts';

/** Days are those of UTC: the server knows no other time zone. */
const daySeconds = 24 * 3_600;
const longest = 90;
const reuseSeconds = 60;

const dayOf = (time: string) => sql<number>`${sql.ref(time)} / ${sql.lit(daySeconds)}`;

const written = (db: Kysely<Schema>, since: number) =>
  db
    .selectFrom('posts')
    .select(dayOf('created_at').as('day'))
    .select(sql<number>`count(*) - count(replied_post_id)`.as('posts'))
    .select(sql<number>`count(replied_post_id)`.as('replies'))
    .select(sql<number>`count(distinct user_id)`.as('writers'))
    .select([sql.lit(0).as('newcomers'), sql.lit(0).as('answered')])
    .where('created_at', '>=', since)
    .groupBy('day');

/** The first root post or reply of a person `u` that is still on the wall. */
const firstPost = sql`(
  select min(w.id) from (
    select min(id) as id from posts where user_id = u.id and replied_post_id is null
    union all select min(id) from posts where user_id = u.id and replied_post_id is not null
  ) w
)`;

const isAnswered = sql`exists (
  select 1 from posts f join posts a on a.replied_post_id = f.id
  where f.id = ${firstPost} and a.user_id <> f.user_id and a.created_at <= f.created_at + ${sql.lit(daySeconds)}
)`;

const came = (db: Kysely<Schema>, since: number) =>
  db
    .selectFrom('users as u')
    .select(dayOf('u.created_at').as('day'))
    .select([sql.lit(0).as('posts'), sql.lit(0).as('replies'), sql.lit(0).as('writers')])
    .select(sql<number>`count(*)`.as('newcomers'))
    .select(sql<number>`sum(case when ${isAnswered} then 1 else 0 end)`.as('answered'))
    .where('u.created_at', '>=', since)
    .where(isNotDeleted('u'))
    .where(sql<boolean>`not ${isUnclaimed('u')}`)
    .groupBy('day');

/** The last `longest` days, including today. A post may have a later time than now, from before the clock was set back. */
async function countDays(db: Pick<Database, 'read' | 'longRead'>, now: number): Promise<Day[]> {
  const since = (Math.floor(now / daySeconds) - longest + 1) * daySeconds;
  const days = Array.from({ length: longest }, (_, i) => ({
    day: since + i * daySeconds,
    posts: 0,
    replies: 0,
    writers: 0,
    newcomers: 0,
    answered: 0,
  }));
  for (const row of await db.longRead(written(db.read, since).unionAll(came(db.read, since)))) {
    const found = days[row.day - since / daySeconds];
    if (!found) continue;
    found.posts += row.posts;
    found.replies += row.replies;
    found.writers += row.writers;
    found.newcomers += row.newcomers;
    found.answered += row.answered;
  }
  return days;
}

/** Returns a function that lists the last days. They are counted when somebody asks, at most once a minute. */
export function lifeOf(db: Pick<Database, 'read' | 'longRead'>, now: () => number): (days: number) => Promise<Day[]> {
  let counted: { at: number; days: Promise<Day[]> } | undefined;
  return async (days) => {
    const at = now();
    if (!counted || Math.abs(at - counted.at) >= reuseSeconds) {
      counted = { at, days: countDays(db, at) };
      counted.days.catch(() => (counted = undefined));
    }
    return (await counted.days).slice(-days);
  };
}
