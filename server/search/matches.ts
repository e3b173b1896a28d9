import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { rangeLexeme, rangeSize } from './post-words.ts';

/** Ids to search: from `from`, below `before`. */
export interface Stretch {
  from: number;
  before: number;
  limit: number;
}

type Found = Array<{ id: number }>;

/** SQLite walks the lists of all lexemes from the newest post down and stops at the limit. */
const onSqlite = prepared<Stretch & { query: string }, { id: number }>((db, slot) =>
  db
    .selectFrom('post_words')
    .select('rowid as id')
    .where(sql<boolean>`post_words match ${slot('query')}`)
    .where('rowid', '>=', slot('from'))
    .where('rowid', '<', slot('before'))
    .orderBy('rowid', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/**
 * PostgreSQL finds the posts of a lexeme in no order, all at once. So it is asked for one range of ids after the other,
 * newest first, until there are enough: the loop over the ranges stops at the limit. `offset 0` keeps the planner from
 * walking the primary key instead.
 */
async function onPostgres(
  db: Kysely<Schema>,
  { query, from, before, limit }: Stretch & { query: string },
): Promise<Found> {
  const newest = Math.floor((before - 1) / rangeSize);
  const oldest = Math.floor(from / rangeSize);
  const prefix = rangeLexeme('');
  const { rows } = await sql<{ id: number }>`
    select m.id from generate_series(${newest}::int, ${oldest}::int, -1) as r (no)
    cross join lateral (
      select f.id from (
        select post_id as id from post_words
        where words @@ (${query} || ' & ''' || ${prefix} || r.no || '''')::tsquery
        offset 0
      ) f
      where f.id >= ${from} and f.id < ${before}
      order by f.id desc
      limit ${limit}
    ) m
    limit ${limit}`.execute(db);
  return rows;
}

/** The ids of posts that have all these lexemes, newest first. */
export async function findMatches(
  db: Kysely<Schema>,
  engine: Database['engine'],
  lexemes: readonly string[],
  stretch: Stretch,
): Promise<number[]> {
  // Lexemes contain neither quotation marks nor backslashes.
  const rows =
    engine === 'sqlite'
      ? await onSqlite(db, { ...stretch, query: lexemes.map((lexeme) => `"${lexeme}"`).join(' ') })
      : await onPostgres(db, { ...stretch, query: lexemes.map((lexeme) => `'${lexeme}'`).join(' & ') });
  return rows.map(({ id }) => id);
}
