import { sql } from 'kysely';
import { prepared } from '../prepared.ts';
import type { PollResult, Order } from './order.ts';

interface SequencerResult extends PollResult {
  /** The ids of all rows that the previous result did not contain. */
  ids: string[];
}

/** At 1,000 writes a second, those of ten seconds. A browser names its last write for five. */
const rememberedIds = 10_000;

const unnumbered = '9007199254740991';

const insert = prepared<{ origin: string; tags: string }, { writeId: number }>((db, slot) =>
  db
    .insertInto('announcements')
    .values({ origin: slot('origin'), tags: slot('tags') })
    .returning(sql<number>`id`.as('writeId')),
);

/**
 * For engines whose transactions have no numbers: processes number the rows that can be seen. The statement locks the row of
 * `sequencer` first and commits at the server, so numbers become visible in their order and a process that stops holds nothing.
 */
export class SequencerOrder implements Order {
  readonly tables = 'order-by-sequencer.sql';
  readonly hasLog = false;
  readonly insert = insert;
  /**
   * All rows of a turn get the same number. When another process had the turn meanwhile, `last` is read again after it, and rows
   * that it has numbered are passed over. The poll behind it sees them.
   */
  readonly number = `
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
        array(select id from announcements where position > $1::bigint and position <= last) as ids
      from sequencer`,
  };
  readonly clean = {
    name: 'clean',
    text: 'delete from announcements where position <= $1::bigint',
  };
  /** Oldest first. */
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
