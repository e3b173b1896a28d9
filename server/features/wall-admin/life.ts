import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Day } from '#contract/wall-admin.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { isUnclaimed } from '../moderation/claims.ts';

/** Days are those of UTC: the server knows no other time zone. */
const daySeconds = 24 * 3_600;
const longest = 90;
const reuseSeconds = 60;

/** Between two queries the process answers other requests. On SQLite a query of this many posts takes a few milliseconds. */
const postsAtOnce = 10_000;

interface Written {
  day: number;
  user_id: number;
  posts: number;
  replies: number;
  last_id: number;
}

/** What each person has written on each day, among the posts that follow an id. All posts before `since` are one row of day 0. */
const writtenAfter = prepared<{ after: number; since: number }, Written>((db, slot) => {
  const since = (value: ReturnType<typeof sql>) =>
    sql<number>`case when created_at >= ${slot('since')} then ${value} else 0 end`;
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('posts')
        .select(['id', 'replied_post_id'])
        .select([since(sql`created_at / ${sql.lit(daySeconds)}`).as('day'), since(sql.ref('user_id')).as('user_id')])
        .where('id', '>', slot('after'))
        .orderBy('id')
        .limit(sql<number>`${sql.lit(postsAtOnce)}`)
        .as('p'),
    )
    .select(['day', 'user_id'])
    .select(sql<number>`count(*) - count(replied_post_id)`.as('posts'))
    .select(sql<number>`count(replied_post_id)`.as('replies'))
    .select(sql<number>`max(id)`.as('last_id'))
    .groupBy(['day', 'user_id']);
});

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

const cameBetween = prepared<{ from: number; until: number }, Pick<Day, 'newcomers' | 'answered'>>((db, slot) =>
  db
    .selectFrom('users as u')
    .select(sql<number>`count(*)`.as('newcomers'))
    .select(sql<number>`cast(coalesce(sum(case when ${isAnswered} then 1 else 0 end), 0) as bigint)`.as('answered'))
    .where('u.created_at', '>=', slot('from'))
    .where('u.created_at', '<', slot('until'))
    .where(isNotDeleted('u'))
    .where(sql<boolean>`not ${isUnclaimed('u')}`),
);

/** The last `longest` days, including today. */
async function countDays(db: Kysely<Schema>, now: number): Promise<Day[]> {
  const today = Math.floor(now / daySeconds);
  const days = Array.from({ length: longest }, (_, i) => {
    const day = (today - longest + 1 + i) * daySeconds;
    return { day, posts: 0, replies: 0, newcomers: 0, answered: 0, people: new Set<number>() };
  });
  const since = days[0]!.day;
  for (let after = 0; ;) {
    const rows = await writtenAfter(db, { after, since });
    if (rows.length === 0) break;
    for (const { day, user_id: person, posts, replies, last_id: last } of rows) {
      after = Math.max(after, last);
      // A post may have a later time than now, from before the clock was set back.
      const found = days[day - (today - longest + 1)];
      if (!found) continue;
      found.posts += posts;
      found.replies += replies;
      found.people.add(person);
    }
    await setImmediate();
  }
  for (const found of days) {
    const [came] = await cameBetween(db, { from: found.day, until: found.day + daySeconds });
    Object.assign(found, came);
    await setImmediate();
  }
  return days.map(({ people, ...day }) => ({ ...day, writers: people.size }));
}

/** Returns a function that lists the last days. They are counted when somebody asks, at most once a minute. */
export function lifeOf(db: Kysely<Schema>, now: () => number): (days: number) => Promise<Day[]> {
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
