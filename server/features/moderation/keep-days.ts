import { type Kysely, type Selectable, sql } from 'kysely';
import type { Day } from '#contract/wall-admin.ts';
import type { Tx } from '../../db/database.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import type { ChangeRow } from '../../live/change-log.ts';
import { followLog, type LogRun, top, unfollowedChanges } from '../../live/follow-log.ts';
import { isUnclaimed } from './claims.ts';

export const keepDaysJob = 'keep-days';
export const keepDaysEverySeconds = 60;

/** Days are those of UTC: the server knows no other time zone. */
const daySeconds = 24 * 3_600;
const dayOf = (at: number): number => Math.floor(at / daySeconds);

/** Values of `days.stale`: which figures of a day have to be counted again. */
const people = 1;
const posts = 2;

/** Posts or people per transaction, so that other writers do not wait long. */
const batch = 500;
const sizes = [50, batch];

interface Mark {
  day: number;
  stale: number;
  first: number;
  last: number;
}

const mark = prepared<Mark, never>((db, slot) =>
  db
    .insertInto('days')
    .values({ day: slot('day'), first_id: slot('first'), last_id: slot('last'), stale: slot('stale') })
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet({
        first_id: sql`case when excluded.first_id < days.first_id then excluded.first_id else days.first_id end`,
        last_id: sql`case when excluded.last_id > days.last_id then excluded.last_id else days.last_id end`,
        stale: sql`case when excluded.stale > days.stale then excluded.stale else days.stale end`,
      }),
    ),
);

/** Marks the days on which these people registered: their people have to be counted again. */
async function markPeople({ db }: Tx, registered: ReadonlyArray<{ created_at: number }>): Promise<void> {
  const days = new Set(registered.map(({ created_at: at }) => dayOf(at)));
  for (const day of days) await mark(db, { day, stale: people, first: top, last: 0 });
}

type Post = Pick<Selectable<Schema['posts']>, 'id' | 'created_at'>;

/** Marks the days of these posts, which have to be counted again, and extends their ranges of ids. */
async function markPosts({ db }: Tx, found: readonly Post[]): Promise<void> {
  const marks = new Map<number, Mark>();
  for (const { id, created_at: at } of found) {
    const day = dayOf(at);
    const { first, last } = marks.get(day) ?? { first: id, last: id };
    marks.set(day, { day, stale: posts, first: Math.min(first, id), last: Math.max(last, id) });
  }
  for (const each of marks.values()) await mark(db, each);
}

const postsBelow = prepared<{ below: number }, Post>((db, slot) =>
  db
    .selectFrom('posts')
    .select(['id', 'created_at'])
    .where('id', '<', slot('below'))
    .orderBy('id', 'desc')
    .limit(sql<number>`${sql.lit(batch)}`),
);

const postsAmong = preparedAmong<number, Post>(sizes, (db, ids) =>
  db.selectFrom('posts').select(['id', 'created_at']).where('id', 'in', ids),
);

const authorsAmong = preparedAmong<number, { user_id: number }>(sizes, (db, ids) =>
  db.selectFrom('posts').select('user_id').where('id', 'in', ids),
);

const registeredAmong = preparedAmong<number, { created_at: number }>(sizes, (db, ids) =>
  db.selectFrom('users').select('created_at').where('id', 'in', ids),
);

/** Finds what changes concern: posts that exist, ids of posts that are gone, and people whose days have to be counted again. */
async function touchedBy(db: Kysely<Schema>, rows: readonly ChangeRow[]) {
  const moved = rows.filter(({ kind }) => kind === 'new' || kind === 'deleted' || kind === 'restored');
  const ids = [...new Set(moved.map(({ post_id: id }) => id))];
  const shown = await postsAmong(db, ids);
  const isShown = new Set(shown.map(({ id }) => id));
  // A reply changes whether the author of the post above is answered, so the day of this author is counted again. If that post is
  // gone, the change about it names the author.
  const answered = await authorsAmong(db, [...new Set(moved.flatMap(({ replied_post_id: id }) => id ?? []))]);
  const owners = new Set([...moved.map(({ owner_id: id }) => id), ...answered.map(({ user_id: id }) => id)]);
  return { shown, gone: ids.filter((id) => !isShown.has(id)), registered: await registeredAmong(db, [...owners]) };
}

async function follow(tx: Tx, rows: readonly ChangeRow[]): Promise<void> {
  const { shown, gone, registered } = await touchedBy(tx.db, rows);
  await markPosts(tx, shown);
  for (const id of gone) await markGone(tx.db, { id, stale: posts });
  await markPeople(tx, registered);
}

/** The time of a deleted post is not known any more, so all days whose range of ids contains the post are marked. */
const markGone = prepared<{ id: number; stale: number }, never>((db, slot) =>
  db
    .updateTable('days')
    .set({ stale: slot('stale') })
    .where('first_id', '<=', slot('id'))
    .where('last_id', '>=', slot('id')),
);

async function lookBack(tx: Tx, below: number): Promise<number> {
  // The log may have lost deletions, so all days are counted again.
  if (below === top) await tx.db.updateTable('days').set({ stale: posts }).execute();
  const found = await postsBelow(tx.db, { below });
  await markPosts(tx, found);
  return found.length < batch ? 0 : found.at(-1)!.id;
}

/** Marks the days of people who have registered, left or claimed an account since the last run; false when there are no more. */
async function takeUpPeople(tx: Tx): Promise<boolean> {
  // The flag is set before the days are counted: if a person leaves later, the flag is cleared again.
  const registered = await tx.db
    .updateTable('users')
    .set({ is_counted: 1 })
    .where('id', 'in', (eb) => eb.selectFrom('users').select('id').where('is_counted', '=', 0).limit(batch))
    .where('is_counted', '=', 0)
    .returning('created_at')
    .execute();
  await markPeople(tx, registered);
  return registered.length === batch;
}

type Written = Pick<Day, 'posts' | 'replies' | 'writers'>;
type Came = Pick<Day, 'newcomers' | 'answered'>;

const written = [
  sql<number>`count(*) - count(replied_post_id)`.as('posts'),
  sql<number>`count(replied_post_id)`.as('replies'),
  sql<number>`count(distinct user_id)`.as('writers'),
];

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

const came = [
  sql<number>`count(*)`.as('newcomers'),
  sql<number>`cast(coalesce(sum(case when ${isAnswered} then 1 else 0 end), 0) as bigint)`.as('answered'),
];

interface Range {
  day: number;
  first: number;
  last: number;
}

const writtenOn = prepared<Range, Written>((db, slot) =>
  db
    .selectFrom('posts')
    .select(written)
    .where('id', '>=', slot('first'))
    .where('id', '<=', slot('last'))
    .where(sql<boolean>`created_at / ${sql.lit(daySeconds)} = ${slot('day')}`),
);

const cameOn = prepared<{ from: number; until: number }, Came>((db, slot) =>
  db
    .selectFrom('users as u')
    .select(came)
    .where('u.created_at', '>=', slot('from'))
    .where('u.created_at', '<', slot('until'))
    .where(isNotDeleted('u'))
    .where(sql<boolean>`not ${isUnclaimed('u')}`),
);

/** Counts the newest day that is stale; false when there is none. */
async function countNext({ db }: Tx): Promise<boolean> {
  const next = await db
    .selectFrom('days')
    .selectAll()
    .where('stale', '>', 0)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!next) return false;
  const { day, stale, first_id: first, last_id: last } = next;
  const [found] = stale === posts ? await writtenOn(db, { day, first, last }) : [];
  const [arrived] = await cameOn(db, { from: day * daySeconds, until: (day + 1) * daySeconds });
  await db
    .updateTable('days')
    .set({ ...found, ...arrived, stale: 0 })
    .where('day', '=', day)
    .execute();
  return true;
}

/** Updates the table `days`: marks the days that the changes are about, then counts each marked day once. */
export async function keepDays(read: Kysely<Schema>, run: LogRun): Promise<void> {
  const { payload, signal, tx } = run;
  const everything = async (step: (opened: Tx) => Promise<boolean>): Promise<void> => {
    do signal.throwIfAborted();
    while (await tx(step));
  };
  await everything(takeUpPeople);
  // Imported posts are not in the log. The first run looks at all posts, so it waits until there are some.
  if (payload !== null || (await read.selectFrom('posts').select('id').limit(1).executeTakeFirst())) {
    await followLog(read, run, { name: keepDaysJob, everySeconds: keepDaysEverySeconds, lookBack, follow });
  }
  await everything(countNext);
}

const figures = ['posts', 'replies', 'writers', 'newcomers', 'answered'] as const;

/** The last `days` days, including today. A day without a row has zeros: nothing happened on it. */
export async function listDays(db: Kysely<Schema>, { now, days }: { now: number; days: number }): Promise<Day[]> {
  const today = dayOf(now);
  const rows = await db
    .selectFrom('days')
    .select(['day', ...figures])
    .where('day', '>', today - days)
    .where('day', '<=', today)
    .orderBy('day')
    .execute();
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, i) => {
    const day = today - days + 1 + i;
    const row = byDay.get(day) ?? { posts: 0, replies: 0, writers: 0, newcomers: 0, answered: 0 };
    return { ...row, day: day * daySeconds };
  });
}

/** Compares all days with the posts and people, except the days that the job has not counted yet. */
export async function* verifyDays(
  db: Kysely<Schema>,
): AsyncGenerator<{ what: string; id: number; stored: number; counted: number }> {
  const changes = await unfollowedChanges(db, keepDaysJob);
  if (!changes) return;
  const stored = new Map((await db.selectFrom('days').selectAll().execute()).map((row) => [row.day, row]));
  const { shown, gone, registered } = await touchedBy(db, changes);
  const uncounted = await db.selectFrom('users').select('created_at').where('is_counted', '=', 0).execute();
  const skipped = new Set([...shown, ...registered, ...uncounted].map(({ created_at: at }) => dayOf(at)));
  for (const { day, stale, first_id: first, last_id: last } of stored.values()) {
    if (stale > 0 || gone.some((id) => first <= id && id <= last)) skipped.add(day);
  }
  const day = sql<number>`created_at / ${sql.lit(daySeconds)}`;
  const counted = new Map<number, Partial<Day>>();
  const add = (rows: ReadonlyArray<Partial<Day> & { day: number }>) => {
    for (const row of rows) counted.set(row.day, { ...counted.get(row.day), ...row });
  };
  add(
    await db
      .selectFrom('posts')
      .select([day.as('day'), ...written])
      .groupBy(day)
      .execute(),
  );
  add(
    await db
      .selectFrom('users as u')
      .select([day.as('day'), ...came])
      .where(isNotDeleted('u'))
      .where(sql<boolean>`not ${isUnclaimed('u')}`)
      .groupBy(day)
      .execute(),
  );
  for (const id of new Set([...stored.keys(), ...counted.keys()])) {
    if (skipped.has(id)) continue;
    for (const figure of figures) {
      const [kept, expected] = [stored.get(id)?.[figure] ?? 0, counted.get(id)?.[figure] ?? 0];
      if (kept !== expected) yield { what: `days.${figure}`, id, stored: kept, counted: expected };
    }
  }
}
