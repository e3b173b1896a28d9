import { sql } from 'kysely';
import { prepared } from '../prepared.ts';

export const insertAnnouncement = prepared<{ origin: string; tags: string }, { position: number }>((db, slot) =>
  db
    .insertInto('announcements')
    .values({ origin: slot('origin'), tags: slot('tags') })
    .returning(sql<number>`position::text::bigint`.as('position')),
);

/**
 * The rows that this snapshot shows and the previous one did not: a transaction that takes long delays only its own row.
 * What has been written is at or before `lsn`, also with an asynchronous commit.
 */
export const poll = {
  name: 'poll',
  text: `
    select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as lsn,
      concat(pg_postmaster_start_time(), ' ', pg_backend_pid()) as session,
      extract(epoch from clock_timestamp())::float8 * 1000 as "clockMs",
      array(
        select tags from announcements
        where position >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(position, $1::pg_snapshot)
          and origin <> $2::uuid
      ) as tags`,
};

export const clean = {
  name: 'clean',
  text: `
    delete from announcements
    where position < pg_snapshot_xmax($1::pg_snapshot) and pg_visible_in_snapshot(position, $1::pg_snapshot)`,
};

export interface Answer {
  snapshot: string;
  lsn: string;
  /** Names the server process that answered. */
  session: string;
  /** The clock of PostgreSQL. */
  clockMs: number;
  tags: string[];
}
