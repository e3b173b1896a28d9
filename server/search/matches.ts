import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { lexemeIn, sectionOf } from './post-words.ts';

/** The ids to search: at least `from` and below `before`. */
export interface IdRange {
  from: number;
  before: number;
  limit: number;
}

type Found = { id: number };

/** SQLite walks the lists of all lexemes from the newest post down and stops at the limit. */
const onSqlite = prepared<IdRange & { query: string }, Found>((db, slot) =>
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
 * PostgreSQL finds all posts of a section at once and in no order. It runs one query for each section, in order, and none after
 * the limit is reached. `offset 0` keeps the planner from walking the primary key instead of the index of lexemes.
 */
const onPostgres = prepared<IdRange & { queries: string[] }, Found>((db, slot) => ({
  compile: () =>
    sql<Found>`
      select found.id from unnest(${slot('queries')}::text[]) as section (query) cross join lateral (
        select matching.id from (
          select post_id as id from post_words where words @@ section.query::tsquery offset 0
        ) matching
        where matching.id >= ${slot('from')} and matching.id < ${slot('before')}
        order by matching.id desc
        limit ${slot('limit')}
      ) found
      limit ${slot('limit')}`.compile(db),
}));

/** The ids of posts that have all these lexemes, newest first. */
export async function findMatches(
  db: Kysely<Schema>,
  engine: Database['engine'],
  lexemes: readonly string[],
  range: IdRange,
): Promise<number[]> {
  const { from, before, limit } = range;
  const newest = sectionOf(engine, before - 1);
  const sections = Array.from({ length: newest - sectionOf(engine, from) + 1 }, (_, i) => newest - i);
  const found: Found[] = [];
  if (engine === 'postgres') {
    // Lexemes contain neither quotation marks nor backslashes.
    const inSection = (section: number) => lexemes.map((lexeme) => `'${lexemeIn(section, lexeme)}'`).join(' & ');
    found.push(...(await onPostgres(db, { ...range, queries: sections.map(inSection) })));
  } else {
    for (const section of sections) {
      if (found.length >= limit) break;
      const query = lexemes.map((lexeme) => `"${lexemeIn(section, lexeme)}"`).join(' ');
      found.push(...(await onSqlite(db, { ...range, query, limit: limit - found.length })));
    }
  }
  return found.map(({ id }) => id);
}
