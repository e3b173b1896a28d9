import { type Kysely, sql } from 'kysely';
import type { BestPeriod } from '#contract/posts.ts';
import type { Tx } from '../../db/database.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { changedPosts } from '../../live/change-log.ts';
import { readLog, type LogRun, top, unreadChanges } from '../../live/log-reader.ts';

export const bestJob = 'keep-best';
export const updateBestEverySeconds = 60;

const day = 24 * 3_600;
/** The periods, with the age at which a post leaves each; null for never. */
const periods: ReadonlyArray<readonly [BestPeriod, number | null]> = [
  ['week', 7 * day],
  ['month', 30 * day],
  ['all', null],
];

/** A post that only one person likes or has answered is not among the best. */
const peopleAtLeast = 2;
/** Only this many of the newest direct replies to a post are counted. */
const repliesAtMost = 1_000;

/** SQL for the number of people who like a post `p` or have answered it. A person counts once, and the author does not count. */
const peopleOf = sql<number>`
  p.likes_count
  - (select count(*) from likes l where l.post_id = p.id and l.user_id = p.user_id)
  + (
    select count(distinct r.user_id)
    from (
      select a.user_id from posts a where a.replied_post_id = p.id order by a.id desc limit ${sql.lit(repliesAtMost)}
    ) r
    where r.user_id <> p.user_id
      and not exists (select 1 from likes m where m.post_id = p.id and m.user_id = r.user_id)
  )`;

/** Posts per transaction, so that other writers do not wait long. */
const batch = 100;

const counted = preparedAmong<number, { id: number; created_at: number; people: number }>([batch], (db, ids) =>
  db
    .selectFrom('posts as p')
    .select(['p.id', 'p.created_at', sql<number>`cast(${peopleOf} as integer)`.as('people')])
    .where('p.id', 'in', ids),
);

const stored = preparedAmong<number, Schema['best_posts']>([batch], (db, ids) =>
  db.selectFrom('best_posts').selectAll().where('post_id', 'in', ids),
);

/**
 * The job that updates `best_posts`. It counts the posts again that the change log names since the last run: those that were liked,
 * answered, withdrawn or restored. If the log does not reach back to the last run, it counts all posts, the newest first.
 */
export async function updateBest(read: Kysely<Schema>, run: LogRun): Promise<void> {
  // Nothing to look at yet.
  if (run.payload === null && !(await read.selectFrom('posts').select('id').limit(1).executeTakeFirst())) return;
  const { now, signal, tx } = run;
  await readLog(read, run, {
    name: bestJob,
    everySeconds: updateBestEverySeconds,
    async lookBack(opened, below) {
      const ids = (await idsBelow(opened.db, { below })).map(({ id }) => id);
      await countAgain(opened, ids, now);
      return ids.length < batch ? 0 : ids.at(-1)!;
    },
    async apply(opened, rows) {
      const ids = changedPosts(rows);
      for (let from = 0; from < ids.length; from += batch) await countAgain(opened, ids.slice(from, from + batch), now);
    },
  });
  while (await tx((opened) => removeEnded(opened, now))) signal.throwIfAborted();
}

const idsBelow = prepared<{ below: number }, { id: number }>((db, slot) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('id', '<', slot('below'))
    .orderBy('id', 'desc')
    .limit(sql<number>`${sql.lit(batch)}`),
);

type BestRow = Schema['best_posts'];
const keyOf = ({ post_id: id, period }: Pick<BestRow, 'post_id' | 'period'>) => `${id} ${period}`;

/** Makes the rows of these posts what they should be. A post that is gone has no rows. */
async function countAgain(tx: Tx, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const wanted = new Map((await wantedRows(tx, ids, now)).map((row) => [keyOf(row), row]));
  const there = new Map((await stored(tx.db, ids)).map((row) => [keyOf(row), row]));
  const outdated = [...there.values()].filter((row) => !wanted.has(keyOf(row)));
  const changed = [...wanted.values()].filter((row) => there.get(keyOf(row))?.people !== row.people);
  if (outdated.length + changed.length === 0) return;
  tx.touch('best');
  for (const row of outdated) await remove(tx, row);
  if (changed.length === 0) return;
  await tx.db
    .insertInto('best_posts')
    .values(changed)
    .onConflict((conflict) =>
      conflict.columns(['post_id', 'period']).doUpdateSet({ people: (eb) => eb.ref('excluded.people') }),
    )
    .execute();
}

async function wantedRows(tx: Tx, ids: readonly number[], now: number): Promise<BestRow[]> {
  const posts = (await counted(tx.db, ids)).filter(({ people }) => people >= peopleAtLeast);
  return posts.flatMap(({ id, created_at: at, people }) =>
    periods
      .map(([period, seconds]) => ({ post_id: id, period, people, ends_at: seconds === null ? null : at + seconds }))
      .filter(({ ends_at: ends }) => ends === null || ends > now),
  );
}

const remove = ({ db }: Tx, { post_id: id, period }: Pick<BestRow, 'post_id' | 'period'>): Promise<unknown> =>
  db.deleteFrom('best_posts').where('post_id', '=', id).where('period', '=', period).execute();

/** Compares the rows of the period `all` with the posts, except posts that have changed since the last run of the job. */
export async function* verifyBest(
  db: Kysely<Schema>,
): AsyncGenerator<{ what: string; id: number; stored: number; counted: number }> {
  const changes = await unreadChanges(db, bestJob);
  if (!changes) return;
  const changed = new Set(changedPosts(changes));
  for (let below = top; ;) {
    const ids = (await idsBelow(db, { below })).map(({ id }) => id);
    if (ids.length === 0) return;
    below = ids.at(-1)!;
    const rows = new Map<number, number>();
    for (const { post_id: id, period, people } of await stored(db, ids)) if (period === 'all') rows.set(id, people);
    for (const { id, people } of await counted(db, ids)) {
      const [saved, expected] = [rows.get(id) ?? 0, people < peopleAtLeast ? 0 : people];
      if (saved !== expected && !changed.has(id))
        yield { what: 'best_posts.people', id, stored: saved, counted: expected };
    }
  }
}

/** Removes a batch of rows whose period has ended. Resolves to whether there may be more of them. */
async function removeEnded(tx: Tx, now: number): Promise<boolean> {
  const ended = await tx.db
    .selectFrom('best_posts')
    .select(['post_id', 'period'])
    .where('ends_at', '<=', now)
    .limit(batch)
    .execute();
  for (const row of ended) await remove(tx, row);
  if (ended.length > 0) tx.touch('best');
  return ended.length === batch;
}
