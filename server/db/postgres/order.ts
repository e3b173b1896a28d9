import { type Kysely, sql } from 'kysely';
import { prepared } from '../prepared.ts';
import type { Schema } from '../schema.ts';
import type { LogIdentity } from './log-positions.ts';

/** A snapshot of PostgreSQL (`xmin:xmax:xip,…`). It tells which transactions had ended when it was taken. */
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

const insertByTransaction = prepared<{ origin: string; tags: string }, { writeId: number }>((db, slot) =>
  db
    .insertInto('announcements')
    .values({ origin: slot('origin'), tags: slot('tags') })
    .returning(sql<number>`position::text::bigint`.as('writeId')),
);

/**
 * Finds new rows with the numbers and snapshots of PostgreSQL's transactions: a row is new if the present snapshot contains its
 * transaction and the previous snapshot did not. So a transaction that takes long delays only its own row.
 */
export class TransactionOrder implements Order {
  readonly tables = 'order-by-transactions.sql';
  readonly hasLog = true;
  readonly insert = insertByTransaction;
  readonly numberRows = undefined;
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
        ) as tags,
        (select max(version) from migrations) as tables`,
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

interface SequencerResult extends PollResult {
  /** The ids of all rows that the previous result did not contain. */
  ids: string[];
}

/** The ids of ten seconds at 1,000 writes a second. A browser names its last write for only five seconds. */
const rememberedIds = 10_000;

const unnumbered = '9007199254740991';

const insertUnnumbered = prepared<{ origin: string; tags: string }, { writeId: number }>((db, slot) =>
  db
    .insertInto('announcements')
    .values({ origin: slot('origin'), tags: slot('tags') })
    .returning(sql<number>`id`.as('writeId')),
);

/**
 * For engines whose transactions have no numbers: processes number the visible rows. The statement locks the row of `sequencer`
 * first, so numbers become visible in their order. It is a transaction of its own, so a process that stops holds no lock.
 */
export class SequencerOrder implements Order {
  readonly tables = 'order-by-sequencer.sql';
  readonly hasLog = false;
  readonly insert = insertUnnumbered;
  /**
   * Gives all visible rows without a number the next number. The update of `sequencer` waits for another process that is numbering
   * rows. Then it reads `last` again, and skips the rows that the other process has numbered. The poll after it finds these rows.
   */
  readonly numberRows = `
    with turn as (
      update sequencer set last = last + 1
      where exists (select from announcements where position = ${unnumbered})
        or exists (select from changes where position = ${unnumbered})
      returning last
    ), noticed as (
      update announcements set position = turn.last from turn where position = ${unnumbered}
    )
    update changes set position = turn.last from turn where position = ${unnumbered}`;
  readonly poll = {
    name: 'poll',
    text: `
      select last::text as place,
        case when last < $1::bigint then 'numbers were lost' else '' end as session,
        extract(epoch from clock_timestamp())::float8 * 1000 as "clockMs",
        array(select tags from announcements where position > $1::bigint and position <= last and origin <> $2::uuid) as tags,
        array(select id from announcements where position > $1::bigint and position <= last) as ids,
        (select max(version) from migrations) as tables
      from sequencer`,
  };
  readonly clean = {
    name: 'clean',
    text: 'delete from announcements where position <= $1::bigint',
  };
  /** In the order of reading. */
  #readIds = new Set<number>();

  take(result: PollResult): void {
    for (const id of (result as SequencerResult).ids) this.#readIds.add(Number(id));
    for (const writeId of this.#readIds) {
      if (this.#readIds.size <= rememberedIds) break;
      this.#readIds.delete(writeId);
    }
  }

  contains(writeId: number): boolean {
    return this.#readIds.has(writeId);
  }
}

interface Statement {
  name: string;
  text: string;
}

export interface PollResult {
  /** The next poll finds the rows after this place. */
  place: string;
  /** When it changes, rows may have been lost. */
  session: string;
  /** The clock of PostgreSQL. */
  clockMs: number;
  /** The tags of rows of other processes that the previous result did not contain. */
  tags: string[];
  /** The version of the last migration. */
  tables: number;
  /** All writes are at or before `lsn`, even with asynchronous commits. */
  log?: LogIdentity & { lsn: number };
}

/** The way in which processes find the rows of `announcements` and `changes` that they have not read. */
export interface Order {
  /** The file that creates the tables. */
  readonly tables: string;
  /** Whether results contain a place in the log, without which a standby cannot be used. */
  readonly hasLog: boolean;
  /** Inserts a write notice in the transaction that it describes. */
  readonly insert: (db: Kysely<Schema>, row: { origin: string; tags: string }) => Promise<Array<{ writeId: number }>>;
  /** A statement that is sent before the poll. As one message and one transaction, it holds locks only while the server runs it. */
  readonly numberRows: string | undefined;
  /** Parameters: the place of the previous result, null at first, and the origin of this process. */
  readonly poll: Statement;
  /** Removes the rows up to the place of a result. */
  readonly clean: Statement;
  take(result: PollResult): void;
  /** Whether the results that were taken contain the write. */
  contains(writeId: number): boolean;
}
