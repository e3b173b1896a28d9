import { sql } from 'kysely';
import type { Database, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { isWrongIndex } from '../db/sqlite/sqlite-errors.ts';
import { stemOf, tagsIn, wordsIn } from './words.ts';

type Engine = Database['engine'];

// A lexeme is what the index holds of a post: a stem, or a sign that no word contains and what it stands for. The signs
// are not ASCII, because the tokenizer of SQLite splits at other ASCII characters than letters and digits.

export const authorLexeme = (userId: number): string => `§${userId}`;
export const tagLexeme = (tag: string): string => `№${tag}`;

/**
 * Every lexeme belongs to one section of ids, so that no list is longer than a section, however large the wall is. To intersect
 * two lists, SQLite reads on until both have the same post, whichever ids are wanted. PostgreSQL also reads every post that it
 * finds in a section.
 */
export const sectionSizes: Readonly<Record<Engine, number>> = { sqlite: 2 ** 20, postgres: 2 ** 16 };
export const sectionOf = (engine: Engine, id: number): number => Math.floor(id / sectionSizes[engine]);
const sectionSign = '×';
export const lexemeIn = (section: number, lexeme: string): string => `${lexeme}${sectionSign}${section}`;

export interface IndexedPost {
  id: number;
  user_id: number;
  text: string;
}

/** Everything a post is found by, each once. */
export function lexemesOf(engine: Engine, { id, user_id: userId, text }: IndexedPost): string[] {
  const lexemes = new Set(wordsIn(text).map(({ form }) => stemOf(form)));
  for (const { tag } of tagsIn(text)) lexemes.add(tagLexeme(tag));
  lexemes.add(authorLexeme(userId));
  return Array.from(lexemes, (lexeme) => lexemeIn(sectionOf(engine, id), lexeme));
}

/**
 * Changes whenever a post gets other lexemes than before (`words.ts`, `stem.ts`, `lexemes.ts`). The job `index-posts` then
 * builds the index anew.
 */
export const indexVersion = 3;

const state = prepared<object, { version: number; indexed_from: number }>((db) =>
  db.selectFrom('search_index').select(['version', 'indexed_from']),
);

const addOnSqlite = prepared<{ id: number; words: string }, never>((db, slot) =>
  db.insertInto('post_words').values({ rowid: slot('id'), words: slot('words') }),
);

/** The index does not hold the texts: to remove a post, SQLite needs what it was added with. */
const removeOnSqlite = prepared<{ id: number; words: string }, never>((db, slot) =>
  db.insertInto('post_words').values({ post_words: sql<string>`'delete'`, rowid: slot('id'), words: slot('words') }),
);

const outdate = prepared<object, never>((db) => db.updateTable('search_index').set({ version: 0 }));

const addOnPostgres = prepared<{ id: number; words: string[] }, never>((db, slot) =>
  db
    .insertInto('post_words')
    .values({ post_id: slot('id'), words: sql<string>`array_to_tsvector(cast(${slot('words')} as text[]))` })
    .onConflict((conflict) => conflict.column('post_id').doUpdateSet({ words: (eb) => eb.ref('excluded.words') })),
);

const removeOnPostgres = prepared<{ id: number }, never>((db, slot) =>
  db.deleteFrom('post_words').where('post_id', '=', slot('id')),
);

/** Adds a post that has just been published. Like every change of the index it takes effect with the commit. */
export function addToIndex(tx: Tx, post: IndexedPost): void {
  const { id } = post;
  const words = lexemesOf(tx.engine, post);
  tx.atCommit(() =>
    tx.engine === 'sqlite' ? addOnSqlite(tx.db, { id, words: words.join(' ') }) : addOnPostgres(tx.db, { id, words }),
  );
}

/** Replaces what a post is found by. `before` is the post as it was indexed, null for a restored one; `after` is null for a withdrawn one. */
export async function changeIndex(tx: Tx, before: IndexedPost | null, after: IndexedPost | null): Promise<void> {
  const { id } = (before ?? after)!;
  // PostgreSQL knows what it holds. On SQLite a post that the job has not reached yet must be left to it.
  if (tx.engine === 'sqlite' && !(await isIndexed(tx, id))) return;
  if (before) removeFromIndex(tx, before);
  if (after) addToIndex(tx, after);
}

function removeFromIndex(tx: Tx, post: IndexedPost): void {
  const { id } = post;
  const words = lexemesOf(tx.engine, post).join(' ');
  tx.atCommit(async () => {
    if (tx.engine === 'postgres') return removeOnPostgres(tx.db, { id });
    try {
      return await removeOnSqlite(tx.db, { id, words });
    } catch (error) {
      if (!isWrongIndex(error)) throw error;
      // The post was indexed with other words. The job builds the index anew.
      return outdate(tx.db, {});
    }
  });
}

/** Whether the job has indexed this post. It goes from the newest post down. */
async function isIndexed({ db }: Tx, id: number): Promise<boolean> {
  const [row] = await state(db, {});
  return row !== undefined && row.version === indexVersion && id >= row.indexed_from;
}
