import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { lexemeIn, sectionOf, sectionSize } from './lexemes.ts';
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

/** Numbers of ranges of ids that are searched together on PostgreSQL, from the newest one on. */
const stages = [1, 1, 16];
/** With more ranges than this, naming them all costs more than it saves. */
const rangesAtMost = 32;

/**
 * PostgreSQL finds all posts of a query at once and in no order, and fetching them takes most of the time. So the newest
 * ranges of ids are searched first, by lexemes of their own: frequent words fill a page there, and rare
 * words have few posts in all. `offset 0` keeps the planner from walking the primary key instead of the index of lexemes.
 */
async function onPostgres(
  db: Kysely<Schema>,
  { query, from, before, limit }: Stretch & { query: string },
): Promise<Found> {
  const last = Math.floor(from / rangeSize);
  const found: Found = [];
  let newest = Math.floor((before - 1) / rangeSize);
  for (let stage = 0; newest >= last && found.length < limit; stage += 1) {
    const oldest = Math.max(last, newest - (stages[stage] ?? Infinity) + 1);
    const inRanges = `${query}${rangesFrom(oldest, newest)}`;
    const end = Math.min(before, (newest + 1) * rangeSize);
    const start = Math.max(from, oldest * rangeSize);
    found.push(...(await among(db, { query: inRanges, from: start, before: end, limit: limit - found.length })));
    newest = oldest - 1;
  }
  return found;
}

function rangesFrom(oldest: number, newest: number): string {
  if (newest - oldest >= rangesAtMost) return '';
  const lexemes = Array.from({ length: newest - oldest + 1 }, (_, i) => `'${rangeLexeme(oldest + i)}'`);
  return ` & (${lexemes.join(' | ')})`;
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
  const { from, limit } = stretch;
  const found: number[] = [];
  for (let { before } = stretch; before > from && found.length < limit;) {
    const section = sectionOf(before - 1);
    const start = section * sectionSize;
    const part = { from: Math.max(from, start), before, limit: limit - found.length };
    const inSection = lexemes.map((lexeme) => lexemeIn(section, lexeme));
    // Lexemes contain neither quotation marks nor backslashes.
    const rows =
      engine === 'sqlite'
        ? await onSqlite(db, { ...part, query: inSection.map((lexeme) => `"${lexeme}"`).join(' ') })
        : await onPostgres(db, { ...part, query: inSection.map((lexeme) => `'${lexeme}'`).join(' & ') });
    found.push(...rows.map(({ id }) => id));
    before = start;
  }
  return found;
}
