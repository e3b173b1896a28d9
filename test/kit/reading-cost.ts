import { sql } from 'kysely';
import type { Database, Tx } from '../../server/db/database.ts';
import { startProcessorClock } from './processor-time.ts';

/**
 * The cost of queries without a clock: the rows that PostgreSQL reads, or the processor time of a hundred runs in this thread.
 * The least of three measurements counts, because the ticks of other threads are sometimes counted for this one.
 */
export function readingCost({ engine, tx }: Database, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return tx(async (open) => {
    if (engine === 'postgres') {
      const before = await rowsRead(open);
      await work(open);
      return (await rowsRead(open)) - before;
    }
    const costs: number[] = [];
    while (costs.length < 3) {
      const spent = startProcessorClock();
      for (let run = 0; run < 100; run += 1) await work(open);
      costs.push(spent());
    }
    return Math.min(...costs);
  });
}

async function rowsRead({ db }: Tx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables`.execute(db);
  return rows[0]!.n;
}
