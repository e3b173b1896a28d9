import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { leftNameSeconds } from '../../features/account/store.ts';
import { waitingSeconds } from '../../features/posts/first-posts.ts';
import { idempotencyKeySeconds } from '../../features/posts/rules.ts';
import { idleSeconds } from '../../features/sessions/rules.ts';

/** Rows per transaction, so that other writers do not wait long. */
const batch = 500;
/** A subscriber that resumes later than this gets a reset. */
const changesSeconds = 3_600;
/** How long an expired link still says that it has expired. */
const keptUndoSeconds = 30 * 24 * 3_600;
const knownDeviceSeconds = 400 * 24 * 3_600;

interface Expiring {
  table:
    | 'operations'
    | 'email_changes'
    | 'outbox'
    | 'budgets'
    | 'sessions'
    | 'program_tokens'
    | 'known_devices'
    | 'idempotency_keys'
    | 'changes'
    | 'left_usernames'
    | 'first_posts';
  key: string;
  column: string;
  /** How long a row stays after the time in its column. */
  keepSeconds: number;
  /** Keeps the newest row: its key says how far the table has got. */
  keepNewest?: true;
}

const expiring: Expiring[] = [
  { table: 'operations', key: 'id', column: 'expires_at', keepSeconds: 0 },
  { table: 'email_changes', key: 'token_hash', column: 'expires_at', keepSeconds: keptUndoSeconds },
  { table: 'outbox', key: 'id', column: 'give_up_at', keepSeconds: 3_600 },
  { table: 'budgets', key: 'key', column: 'expires_at', keepSeconds: 0 },
  { table: 'sessions', key: 'id', column: 'last_active_at', keepSeconds: idleSeconds },
  { table: 'program_tokens', key: 'id', column: 'expires_at', keepSeconds: 0 },
  { table: 'changes', key: 'position', column: 'created_at', keepSeconds: changesSeconds, keepNewest: true },
  { table: 'idempotency_keys', key: 'key', column: 'created_at', keepSeconds: idempotencyKeySeconds },
  { table: 'known_devices', key: 'cookie_hash', column: 'last_used_at', keepSeconds: knownDeviceSeconds },
  { table: 'left_usernames', key: 'username_key', column: 'left_at', keepSeconds: leftNameSeconds },
  { table: 'first_posts', key: 'post_id', column: 'created_at', keepSeconds: waitingSeconds },
];

/** Removes expired rows; resolves to their number. */
export async function removeExpired({ tx }: Pick<Database, 'tx'>, now: number): Promise<number> {
  let removed = 0;
  for (const { table, key, column, keepSeconds, keepNewest } of expiring) {
    const but = keepNewest ? sql`and ${sql.ref(key)} < (select max(${sql.ref(key)}) from ${sql.table(table)})` : sql``;
    const isExpired = sql`${sql.ref(column)} < ${now - keepSeconds}`;
    const keys = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${isExpired} ${but} limit ${batch}`;
    // Several rows may have the same key, not all of them expired.
    const remove = sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${keys}) and ${isExpired} returning 1`;
    for (;;) {
      const { rows } = await tx(({ db }) => remove.execute(db));
      removed += rows.length;
      if (rows.length < batch) break;
    }
  }
  return removed;
}
