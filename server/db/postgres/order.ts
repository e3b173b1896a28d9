import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import type { LogIdentity } from './log-positions.ts';

interface Statement {
  name: string;
  text: string;
}

export interface PollResult {
  /** The next poll compares with it. */
  place: string;
  /** When it changes, rows may have been lost. */
  session: string;
  /** The clock of PostgreSQL. */
  clockMs: number;
  /** The tags of rows of other processes that the previous result did not contain. */
  tags: string[];
  /** Everything written is at or before `lsn`, also with an asynchronous commit. */
  log?: LogIdentity & { lsn: number };
}

/** How processes find what they have not read of `announcements` and `changes`. */
export interface Order {
  /** The file that creates the tables. */
  readonly tables: string;
  /** Whether results contain a place in the log, without which a standby cannot be used. */
  readonly hasLog: boolean;
  /** Inserts a write notice in the transaction that it describes. */
  readonly insert: (db: Kysely<Schema>, row: { origin: string; tags: string }) => Promise<Array<{ writeId: number }>>;
  /** Sent in front of the poll, as a transaction of its own and as one message, so that it never waits for the process. */
  readonly number: string | undefined;
  /** Parameters: the place of the previous result, null at first, and the origin of this process. */
  readonly poll: Statement;
  /** Removes the rows that the result with this place contained. */
  readonly clean: Statement;
  take(result: PollResult): void;
  /** Whether the results that were taken contain the write. */
  contains(writeId: number): boolean;
}
