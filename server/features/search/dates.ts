import { type Kysely, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';

/** Ids looked at in one query. */
const probes = 15;
/** Seconds by which ids and times may be in a different order: processes and their clocks differ. */
const slackSeconds = 600;

const newestId = prepared<object, { id: number | null }>((db) =>
  db.selectFrom('posts').select((eb) => eb.fn.max<number | null>('id').as('id')),
);

/** The times of the first posts from these ids on. */
const timesFrom = prepared<Record<`id${number}`, number>, Record<`at${number}`, number | null>>((db, slot) =>
  db.selectNoFrom((eb) =>
    Array.from({ length: probes }, (_, i) =>
      eb
        .selectFrom('posts')
        .select('created_at')
        .where('id', '>=', slot(`id${i}`))
        .orderBy('id')
        .limit(sql<number>`1`)
        .as(`at${i}`),
    ),
  ),
);

/** The id after the newest post. */
export async function endOfPosts(db: Kysely<Schema>): Promise<number> {
  const [row] = await newestId(db, {});
  return (row?.id ?? 0) + 1;
}

/**
 * Ids and times grow together, so a time bounds ids: every post written at `at` or later has an id from the result on. Found
 * by looking at fifteen ids at a time, which is five queries for a million posts and needs no index of times.
 */
export async function firstIdFrom(db: Kysely<Schema>, at: number, end: number): Promise<number> {
  return search(db, at - slackSeconds, end);
}

/** Every post written before `at` has an id below the result. */
export async function endOfIdsBefore(db: Kysely<Schema>, at: number, end: number): Promise<number> {
  return search(db, at + slackSeconds, end);
}

/** The smallest id from which on all posts are of this time or later. */
async function search(db: Kysely<Schema>, at: number, end: number): Promise<number> {
  // Posts below `low` are older, and those from `high` on are not.
  let [low, high] = [0, end];
  while (low < high) {
    const ids = Array.from({ length: probes }, (_, i) => low + Math.floor(((high - low) * i) / probes));
    const [times] = await timesFrom(db, Object.fromEntries(ids.map((id, i) => [`id${i}`, id])));
    const older = ids.filter((_, i) => (times![`at${i}`] ?? Infinity) < at);
    const notOlder = ids.find((_, i) => (times![`at${i}`] ?? Infinity) >= at);
    high = notOlder ?? high;
    low = Math.max(low, (older.at(-1) ?? low - 1) + 1);
    if (low > high) return high;
  }
  return high;
}
