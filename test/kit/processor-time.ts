import { sql } from 'kysely';
import type { Database, Tx } from '../../server/db/database.ts';
/** Returns a function that gives the processor time of this thread since the call, ms. Other work on the machine adds nothing. */
export function startProcessorClock(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** The processor time of synchronous work, ms. The system counts it in ticks of a few milliseconds. */
export function processorMs(work: () => void): number {
  const spent = startProcessorClock();
  work();
  return spent();
}

/**
 * The cost of queries: on PostgreSQL the rows they read (of `table`, if given), on SQLite the processor time of `runs` runs in
 * this thread, ms. Returns the least of three measurements, because other work of the app may read meanwhile, and
 * ticks of other threads are sometimes counted for this one.
 */
export function readingCost(
  db: Database,
  work: (tx: Tx) => Promise<unknown>,
  { runs = 100, table }: { runs?: number; table?: string } = {},
): Promise<number> {
  return db.tx(async (open) => {
    const costs: number[] = [];
    while (costs.length < 3) {
      if (db.engine === 'postgres') {
        const before = await rowsRead(open, table);
        await work(open);
        costs.push((await rowsRead(open, table)) - before);
      } else {
        const spent = startProcessorClock();
        for (let run = 0; run < runs; run += 1) await work(open);
        costs.push(spent());
      }
    }
    return Math.min(...costs);
  });
}

async function rowsRead({ db }: Tx, table = '%'): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables
    where relname like ${table}`.execute(db);
  return rows[0]!.n;
}
