import { type Kysely, sql } from 'kysely';
import type { BestPeriod } from '#contract/posts.ts';
import type { Tx } from '../../db/database.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { changedPosts } from '../../live/change-log.ts';
import { followLog, type LogRun, top, unfollowedChanges } from '../../live/follow-log.ts';

export const keepBestJob = 'keep-best';
export const keepBestEverySeconds = 60;

const day = 24 * 3_600;
/** For so long after its publication a post belongs to the period. */
const periods: ReadonlyArray<readonly [BestPeriod, number | null]> = [
  ['week', 7 * day],
  ['month', 30 * day],
  ['all', null],
];

/** A post of one admirer is not among the best. */
const peopleAtLeast = 2;
/** Of a post with more direct replies the newest are looked at. */
const repliesAtMost = 1_000;

/** The people who like a post `p` or have answered it, each once, without its author. `likes_count` is kept with each like. */
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
 * Keeps the best posts: counts those again that the change log names, and all of them, the newest first, where the log does not
 * reach back to the last run. What the log names is what has been liked, answered, withdrawn or restored.
 */
export async function keepBest(read: Kysely<Schema>, run: LogRun): Promise<void> {
  // Nothing to look at yet.
  if (run.payload === null && !(await read.selectFrom('posts').select('id').limit(1).executeTakeFirst())) return;
  const { now, signal, tx } = run;
  await followLog(read, run, {
    name: keepBestJob,
    everySeconds: keepBestEverySeconds,
    async lookBack(opened, below) {
      const ids = (await idsBelow(opened.db, { below })).map(({ id }) => id);
      await countAgain(opened, ids, now);
      return ids.length < batch ? 0 : ids.at(-1)!;
    },
    async follow(opened, rows) {
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

/** Writes what differs from what is stored. Posts that are gone have no rows. */
async function countAgain(tx: Tx, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const rows = new Map<string, Schema['best_posts']>();
  const keyOf = (row: Pick<Schema['best_posts'], 'post_id' | 'period'>) => `${row.post_id} ${row.period}`;
  for (const { id, created_at: at, people } of await counted(tx.db, ids)) {
    if (people < peopleAtLeast) continue;
    for (const [period, seconds] of periods) {
      const ends = seconds === null ? null : at + seconds;
      const row = { post_id: id, period, people, ends_at: ends };
      if (ends === null || ends > now) rows.set(keyOf(row), row);
    }
  }
  const gone: Array<Schema['best_posts']> = [];
  for (const row of await stored(tx.db, ids)) {
    const wanted = rows.get(keyOf(row));
    if (!wanted) gone.push(row);
    else if (wanted.people === row.people) rows.delete(keyOf(row));
  }
  if (rows.size + gone.length === 0) return;
  tx.touch('best');
  for (const { post_id: id, period } of gone) {
    await tx.db.deleteFrom('best_posts').where('post_id', '=', id).where('period', '=', period).execute();
  }
  if (rows.size === 0) return;
  await tx.db
    .insertInto('best_posts')
    .values([...rows.values()])
    .onConflict((conflict) =>
      conflict.columns(['post_id', 'period']).doUpdateSet({ people: (eb) => eb.ref('excluded.people') }),
    )
    .execute();
}

/** Compares the rows of all time with the posts, except those that have changed since the last run of the job. */
export async function* verifyBest(
  db: Kysely<Schema>,
): AsyncGenerator<{ what: string; id: number; stored: number; counted: number }> {
  const changes = await unfollowedChanges(db, keepBestJob);
  if (!changes) return;
  const changed = new Set(changedPosts(changes));
  for (let below = top; ;) {
    const ids = (await idsBelow(db, { below })).map(({ id }) => id);
    if (ids.length === 0) return;
    below = ids.at(-1)!;
    const rows = new Map<number, number>();
    for (const { post_id: id, period, people } of await stored(db, ids)) if (period === 'all') rows.set(id, people);
    for (const { id, people } of await counted(db, ids)) {
      const [kept, expected] = [rows.get(id) ?? 0, people < peopleAtLeast ? 0 : people];
      if (kept !== expected && !changed.has(id))
        yield { what: 'best_posts.people', id, stored: kept, counted: expected };
    }
  }
}

/** False when no row has ended that is still there. */
async function removeEnded(tx: Tx, now: number): Promise<boolean> {
  const ended = await tx.db
    .selectFrom('best_posts')
    .select(['post_id', 'period'])
    .where('ends_at', '<=', now)
    .limit(batch)
    .execute();
  for (const { post_id: id, period } of ended) {
    await tx.db.deleteFrom('best_posts').where('post_id', '=', id).where('period', '=', period).execute();
  }
  if (ended.length > 0) tx.touch('best');
  return ended.length === batch;
}
