import { sql } from 'kysely';
import { prepared } from '../prepared.ts';
import type { LogIdentity } from './log-positions.ts';

/** A snapshot of PostgreSQL (`xmin:xmax:xip,…`). It tells which transactions had ended when it was taken. */
export class Snapshot {
  #end: number;
  #running: ReadonlySet<number>;

  constructor(text: string) {
    const [, end, running] = text.split(':') as [string, string, string];
    this.#end = Number(end);
    this.#running = new Set(running === '' ? [] : running.split(',').map(Number));
  }

  /** Whether the transaction with this number had ended. */
  contains(position: number): boolean {
    return position < this.#end && !this.#running.has(position);
  }
}

/** Inserts a write notice in the transaction that it describes. Returns the number of the transaction. */
export const insertNotice = prepared<{ origin: string; tags: string }, { writeId: number }>((db, slot) =>
  db
    .insertInto('announcements')
    .values({ origin: slot('origin'), tags: slot('tags') })
    .returning(sql<number>`position::text::bigint`.as('writeId')),
);

/**
 * Reads the new write notices: those whose transaction the present snapshot contains and the previous one did not. So a transaction
 * that takes long delays only its own row. Parameters: the previous snapshot, null at first, and the origin of this process.
 */
export const readNotices = {
  name: 'poll',
  text: `
    select pg_current_snapshot()::text as snapshot,
      json_build_object(
        'lsn', (pg_current_wal_insert_lsn() - '0/0')::bigint,
        'system', (pg_control_system()).system_identifier::text,
        'timeline', left(pg_walfile_name(pg_current_wal_lsn()), 8)
      ) as log,
      concat(pg_postmaster_start_time(), ' ', pg_backend_pid()) as session,
      extract(epoch from clock_timestamp())::float8 * 1000 as "clockMs",
      array(
        select tags from announcements
        where position >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(position, $1::pg_snapshot)
          and origin <> $2::uuid
      ) as tags,
      (select max(version) from migrations) as tables`,
};

/** Removes the write notices that a snapshot contains. */
export const removeNotices = {
  name: 'clean',
  text: `
    delete from announcements
    where position < pg_snapshot_xmax($1::pg_snapshot) and pg_visible_in_snapshot(position, $1::pg_snapshot)`,
};

export interface PollResult {
  snapshot: string;
  /** When it changes, rows may have been lost. */
  session: string;
  /** The clock of PostgreSQL. */
  clockMs: number;
  /** The tags of rows of other processes that the previous result did not contain. */
  tags: string[];
  /** The version of the last migration. */
  tables: number;
  /** All writes are at or before `lsn`, even with asynchronous commits. */
  log: LogIdentity & { lsn: number };
}
