import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';

/**
 * Calls `look` every 10 ms until it finds something, at most `attempts` times. The limit is a number of calls and not a time,
 * because a busy machine delays the calls as well as the server.
 */
export async function pollWithin<T>(attempts: number, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let i = 0; i < attempts; i += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(10);
  }
  throw new Error(`nothing was found in ${attempts} attempts`);
}

/** Waits until a transaction of this PostgreSQL waits for a lock that another one holds. */
export async function untilLockWaits({ read }: Database): Promise<void> {
  const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await pollWithin(2_000, async () => (await waits.execute(read)).rows[0]);
}

/** How often a timer of 10 ms fires until `end` settles. */
export async function ticksUntil(end: Promise<unknown>): Promise<number> {
  let ticks = 0;
  const counting = setInterval(() => (ticks += 1), 10);
  await end.finally(() => clearInterval(counting));
  return ticks;
}
