import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { leftNameSeconds } from '../account/left-names.ts';
import { keptKeySeconds } from '../posts/rules.ts';
import { idleSeconds } from '../sessions/rules.ts';
import { steadyClock } from './steady-clock.ts';

const everyMs = 60_000;
/** Nobody is in a hurry: what has expired opens nothing. But what a wrong clock makes look old is gone for good. */
const steadySeconds = 3_600;
/** Rows at a time: a transaction must not hold others up. */
const batch = 500;
/** Readers of events who come back later read the wall anew. */
const changesSeconds = 3_600;
/** A link that has expired says so for a while. */
const keptUndoSeconds = 30 * 24 * 3_600;
const knownDeviceSeconds = 400 * 24 * 3_600;

interface Expiring {
  table:
    | 'operations'
    | 'email_changes'
    | 'outbox'
    | 'budgets'
    | 'sessions'
    | 'known_devices'
    | 'idempotency_keys'
    | 'changes'
    | 'left_usernames';
  key: string;
  column: string;
  /** How long a row stays after the time in its column. */
  keepSeconds: number;
  /** The newest row stays: it tells how far one has come. */
  keepNewest?: true;
}

const expiring: Expiring[] = [
  { table: 'operations', key: 'id', column: 'expires_at', keepSeconds: 0 },
  { table: 'email_changes', key: 'token_hash', column: 'expires_at', keepSeconds: keptUndoSeconds },
  { table: 'outbox', key: 'id', column: 'give_up_at', keepSeconds: 3_600 },
  { table: 'budgets', key: 'key', column: 'expires_at', keepSeconds: 0 },
  { table: 'sessions', key: 'id', column: 'last_active_at', keepSeconds: idleSeconds },
  { table: 'changes', key: 'position', column: 'created_at', keepSeconds: changesSeconds, keepNewest: true },
  { table: 'idempotency_keys', key: 'key', column: 'created_at', keepSeconds: keptKeySeconds },
  { table: 'known_devices', key: 'cookie_hash', column: 'last_used_at', keepSeconds: knownDeviceSeconds },
  { table: 'left_usernames', key: 'username_key', column: 'left_at', keepSeconds: leftNameSeconds },
];

/** Removes what has expired; resolves to how many rows went. */
export async function removeExpired(db: Database, now: number): Promise<number> {
  let removed = 0;
  for (const { table, key, column, keepSeconds, keepNewest } of expiring) {
    const but = keepNewest ? sql`and ${sql.ref(key)} < (select max(${sql.ref(key)}) from ${sql.table(table)})` : sql``;
    const expired = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(column)} < ${now - keepSeconds} ${but} limit ${batch}`;
    const remove = sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${expired}) returning 1`;
    for (;;) {
      const { rows } = await db.tx((tx) => remove.execute(tx.db));
      removed += rows.length;
      if (rows.length < batch) break;
    }
  }
  return removed;
}

/** Does so now and then, by a clock that can be trusted; returns what stops it. */
export function keepRemovingExpired(db: Database, now: () => number, log: FastifyBaseLogger): () => void {
  const isSteady = steadyClock(now, steadySeconds);
  const timer = setInterval(() => {
    if (!isSteady()) return;
    removeExpired(db, now()).catch((error: unknown) => log.warn({ err: error }, 'could not remove what has expired'));
  }, everyMs).unref();
  return () => clearInterval(timer);
}
