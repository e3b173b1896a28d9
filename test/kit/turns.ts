import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';

/**
 * Looks, with pauses of 10 ms, until there is something to see, at most so often. What a busy machine delays, it delays between
 * two looks.
 */
export async function withinTurns<T>(turns: number, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let turn = 0; turn < turns; turn += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(10);
  }
  throw new Error(`nothing was seen in ${turns} turns`);
}

/** Waits until a transaction of this PostgreSQL waits for a lock that another one holds. */
export async function untilLockWaits({ read }: Database): Promise<void> {
  const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await withinTurns(2_000, async () => (await waits.execute(read)).rows[0]);
}

/** How often a timer of 10 ms fires until then. */
export async function turnsUntil(end: Promise<unknown>): Promise<number> {
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 10);
  await end.finally(() => clearInterval(counting));
  return turns;
}
