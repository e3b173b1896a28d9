import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';

/** At most `count` in any `seconds`. */
export interface Limit {
  count: number;
  seconds: number;
}

/** Something that may be done only so often by one person, address or device. */
export interface Budget {
  key: string;
  limits: readonly Limit[];
}

export interface OpenBudgets {
  /** Seconds until all of them have something left; 0 when they have. */
  wait: number;
  /** Takes one from each. */
  spend(): Promise<void>;
}

/** Takes the row whether it was there or not: whoever comes second waits here. */
const takeHits = prepared<{ key: string; expiresAt: number }, { hits: string }>((db, slot) =>
  db
    .insertInto('budgets')
    .values({ key: slot('key'), hits: '[]', expires_at: slot('expiresAt') })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at: (eb) => eb.ref('excluded.expires_at') }))
    .returning('hits'),
);

const keepHits = prepared<{ key: string; hits: string }, never>((db, slot) =>
  db
    .updateTable('budgets')
    .set({ hits: slot('hits') })
    .where('key', '=', slot('key')),
);

/** Reads budgets and holds them till the end of the transaction, so that counting is exact under any burst. */
export async function openBudgets({ db }: Tx, budgets: readonly Budget[], now: number): Promise<OpenBudgets> {
  const opened: Array<{ key: string; hits: number[] }> = [];
  let wait = 0;
  // In one order everywhere: two transactions must not hold what the other wants.
  for (const { key, limits } of budgets.filter((budget) => budget.limits.length > 0).toSorted(byKey)) {
    const longest = Math.max(...limits.map(({ seconds }) => seconds));
    const [row] = await takeHits(db, { key, expiresAt: now + longest });
    const hits = (JSON.parse(row!.hits) as number[]).filter((at) => at > now - longest);
    for (const limit of limits) wait = Math.max(wait, secondsLeft(hits, limit, now));
    opened.push({ key, hits });
  }
  return {
    wait,
    async spend() {
      for (const { key, hits } of opened) await keepHits(db, { key, hits: JSON.stringify([...hits, now]) });
    },
  };
}

/** Takes one from each, or none of any: then resolves to the seconds to wait. */
export async function spend(tx: Tx, budgets: readonly Budget[], now: number): Promise<number> {
  const open = await openBudgets(tx, budgets, now);
  if (open.wait === 0) await open.spend();
  return open.wait;
}

function secondsLeft(hits: number[], { count, seconds }: Limit, now: number): number {
  const inside = hits.filter((at) => at > now - seconds);
  return inside.length < count ? 0 : inside.at(-count)! + seconds - now;
}

const byKey = (a: Budget, b: Budget): number => (a.key < b.key ? -1 : 1);
