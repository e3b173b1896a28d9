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

/** What stands in the way of who asks too often. */
export interface Exhausted {
  /** Of the budget that takes longest: the first word of its key, the rest of which is somebody's own. */
  limit: string;
  /** Seconds until there is something left. */
  wait: number;
}

export interface OpenBudgets {
  /** Undefined while all of them have something left. */
  exhausted: Exhausted | undefined;
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
  let exhausted: Exhausted | undefined;
  // In one order everywhere: two transactions must not hold what the other wants.
  for (const { key, limits } of budgets.filter((budget) => budget.limits.length > 0).toSorted(byKey)) {
    const longest = Math.max(...limits.map(({ seconds }) => seconds));
    const [row] = await takeHits(db, { key, expiresAt: now + longest });
    const hits = (JSON.parse(row!.hits) as number[]).filter((at) => isWithin(longest, at, now));
    const wait = Math.max(...limits.map((limit) => secondsLeft(hits, limit, now)));
    if (wait > (exhausted?.wait ?? 0)) exhausted = { limit: key.split(' ', 1)[0]!, wait };
    opened.push({ key, hits });
  }
  return {
    exhausted,
    async spend() {
      for (const { key, hits } of opened) await keepHits(db, { key, hits: JSON.stringify([...hits, now]) });
    },
  };
}

/** Takes one from each, or none of any: then resolves to what has nothing left. */
export async function spend(tx: Tx, budgets: readonly Budget[], now: number): Promise<Exhausted | undefined> {
  const open = await openBudgets(tx, budgets, now);
  if (!open.exhausted) await open.spend();
  return open.exhausted;
}

function secondsLeft(hits: number[], { count, seconds }: Limit, now: number): number {
  const inside = hits.filter((at) => isWithin(seconds, at, now)).toSorted((a, b) => a - b);
  return inside.length < count ? 0 : inside.at(-count)! + seconds - now;
}

/** What lies further ahead was noted by a clock that has been set back since, and must lock nobody out till then. */
function isWithin(seconds: number, at: number, now: number): boolean {
  return at > now - seconds && at <= now + seconds;
}

const byKey = (a: Budget, b: Budget): number => (a.key < b.key ? -1 : 1);
