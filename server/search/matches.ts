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

/** Ranges of ids that are searched one by one on PostgreSQL. */
const rangesFirst = 2;

/**
 * PostgreSQL finds all posts of a query at once and in no order, and fetching them takes most of the time. So the newest
 * ranges of ids are searched first, each by its own lexeme: frequent words fill a page there. The posts of words that do not
 * are few. `offset 0` keeps the planner from walking the primary key instead of the index of lexemes.
 */
async function onPostgres(db: Kysely<Schema>, asked: Stretch & { query: string }): Promise<Found> {
  const { query, from, before, limit } = asked;
  const newest = Math.floor((before - 1) / rangeSize);
  const oldest = Math.max(Math.floor(from / rangeSize), newest - rangesFirst + 1);
  const found: Found = [];
  for (let range = newest; range >= oldest && found.length < limit; range -= 1) {
    const inRange = `${query} & '${rangeLexeme(range)}'`;
    found.push(...(await among(db, { query: inRange, from, before, limit: limit - found.length })));
  }
  const left = limit - found.length;
  if (left === 0 || oldest * rangeSize <= from) return found;
  return [...found, ...(await among(db, { query, from, before: oldest * rangeSize, limit: left }))];
}

async function among(db: Kysely<Schema>, { query, from, before, limit }: Stretch & { query: string }): Promise<Found> {
  const { rows } = await sql<{ id: number }>`
    select f.id from (select post_id as id from post_words where words @@ ${query}::tsquery offset 0) f
    where f.id >= ${from} and f.id < ${before}
    order by f.id desc
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
