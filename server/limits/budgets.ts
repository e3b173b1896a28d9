import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Refusal } from './refusal.ts';

/** At most `count` in any period of `seconds`. */
export interface Limit {
  count: number;
  seconds: number;
}

/** At most `atOnce` at once, then one more every `everySeconds`. */
export interface Refill {
  atOnce: number;
  everySeconds: number;
}

/** Limits an action by one person, address or device. */
export interface Budget {
  key: string;
  limits: readonly Limit[];
  /**
   * The available uses are computed from the stored ones, which cover the longest period of `limits`. The limit for this period must
   * allow fewer uses than the refill does. Then all `atOnce` uses were available at some moment of the period, so uses before the
   * period do not matter.
   */
  refill?: Refill | undefined;
}

/** At least one budget is used up. */
export interface Exhausted extends Refusal {
  refused: 'TOO_MANY_REQUESTS';
  /** The first word of the key of the budget with the longest wait. The rest of the key is personal data. */
  limit: string;
  retryAfter: number;
}

export interface OpenBudgets {
  /** Undefined while each budget allows one more use. */
  exhausted: Exhausted | undefined;
  /** Spends one from each. */
  spend: () => void;
}

/** Inserts or updates the row, which locks it: a second transaction waits here. */
const lockHits = prepared<{ key: string; expiresAt: number }, { hits: string }>((db, slot) =>
  db
    .insertInto('budgets')
    .values({ key: slot('key'), hits: '[]', expires_at: slot('expiresAt') })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at: (eb) => eb.ref('excluded.expires_at') }))
    .returning('hits'),
);

const storeHits = prepared<{ key: string; hits: string }, never>((db, slot) =>
  db
    .updateTable('budgets')
    .set({ hits: slot('hits') })
    .where('key', '=', slot('key')),
);

/** Reads budgets and locks them until the end of the transaction, so that counting is exact under any load. */
export async function openBudgets({ db, send }: Tx, budgets: readonly Budget[], now: number): Promise<OpenBudgets> {
  const opened: Array<{ key: string; hits: number[] }> = [];
  let exhausted: Exhausted | undefined;
  // Always locked in the same order, so that two transactions cannot deadlock.
  for (const { key, limits, refill } of budgets.filter((budget) => budget.limits.length > 0).toSorted(byKey)) {
    const longest = Math.max(...limits.map(({ seconds }) => seconds));
    const [row] = await lockHits(db, { key, expiresAt: now + longest });
    const hits = (JSON.parse(row!.hits) as number[]).filter((at) => isWithin(longest, at, now));
    const waits = limits.map((limit) => secondsUntilAllowed(hits, limit, now));
    const wait = Math.max(...waits, refill ? secondsToRefill(hits, refill, now) : 0);
    if (wait > (exhausted?.retryAfter ?? 0)) {
      exhausted = { refused: 'TOO_MANY_REQUESTS', limit: key.split(' ', 1)[0]!, retryAfter: wait };
    }
    opened.push({ key, hits });
  }
  return {
    exhausted,
    spend() {
      for (const { key, hits } of opened) send(storeHits(db, { key, hits: JSON.stringify([...hits, now]) }));
    },
  };
}

/** Spends one use of each budget. If one of them is exhausted, spends nothing and resolves to the refusal. */
export async function spend(tx: Tx, budgets: readonly Budget[], now: number): Promise<Exhausted | undefined> {
  const open = await openBudgets(tx, budgets, now);
  if (!open.exhausted) open.spend();
  return open.exhausted;
}

function secondsUntilAllowed(hits: number[], { count, seconds }: Limit, now: number): number {
  const inside = hits.filter((at) => isWithin(seconds, at, now)).toSorted((a, b) => a - b);
  return inside.length < count ? 0 : inside.at(-count)! + seconds - now;
}

function secondsToRefill(hits: number[], { atOnce, everySeconds }: Refill, now: number): number {
  const seconds = atOnce * everySeconds;
  const counted = hits.filter((at) => at <= now + seconds).toSorted((a, b) => a - b);
  /** The time at which all uses are available again. */
  const full = counted.reduce((before, at) => Math.max(before, at) + everySeconds, -Infinity);
  return Math.max(0, full + everySeconds - seconds - now);
}

/** A hit further in the future was recorded before the clock was set back; counting it would lock people out. */
function isWithin(seconds: number, at: number, now: number): boolean {
  return at > now - seconds && at <= now + seconds;
}

const byKey = (a: Budget, b: Budget): number => (a.key < b.key ? -1 : 1);
