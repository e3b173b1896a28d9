import { sql } from 'kysely';
import { prepared } from '../prepared.ts';
import type { PollResult, Order } from './order.ts';

/** A snapshot of PostgreSQL (`xmin:xmax:xip,…`): which transactions had ended when it was taken. */
class Snapshot {
  #end: number;
  #running: ReadonlySet<number>;

  constructor(text: string) {
    const [, end, running] = text.split(':') as [string, string, string];
    this.#end = Number(end);
    this.#running = new Set(running === '' ? [] : running.split(',').map(Number));
  }

  /** Whether the transaction had ended. */
  contains(position: number): boolean {
    return position < this.#end && !this.#running.has(position);
  }
}

const insert = prepared<{ origin: string; tags: string }, { writeId: number }>((db, slot) =>
  db
    .insertInto('announcements')
    .values({ origin: slot('origin'), tags: slot('tags') })
    .returning(sql<number>`position::text::bigint`.as('writeId')),
);

/**
 * By the numbers and snapshots of PostgreSQL's transactions. New are the rows that this snapshot shows and the previous one did
 * not: a transaction that takes long delays only its own row.
 */
export class TransactionOrder implements Order {
  readonly tables = 'order-by-transactions.sql';
  readonly hasLog = true;
  readonly insert = insert;
  readonly number = undefined;
  readonly poll = {
    name: 'poll',
    text: `
      select pg_current_snapshot()::text as place,
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
        ) as tags`,
  };
  readonly clean = {
    name: 'clean',
    text: `
      delete from announcements
      where position < pg_snapshot_xmax($1::pg_snapshot) and pg_visible_in_snapshot(position, $1::pg_snapshot)`,
  };
  #snapshot: Snapshot | undefined;

  take({ place }: PollResult): void {
    this.#snapshot = new Snapshot(place);
  }

  contains(writeId: number): boolean {
    return this.#snapshot?.contains(writeId) ?? false;
  }
}
