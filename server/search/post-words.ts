import { sql } from 'kysely';
import { lexemesOfText } from '#contract/lexemes.ts';
import type { Database, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { isWrongIndex } from '../db/sqlite/sqlite-errors.ts';

type Engine = Database['engine'];

// The index holds the lexemes of a post: those of its text, and its author, which begins with a sign that no word
// contains. The signs are not ASCII, because the tokenizer of SQLite splits at ASCII characters except letters and digits.

export const authorLexeme = (userId: number): string => `§${userId}`;

/**
 * Post ids are divided into sections, and a lexeme contains its section. So the list of posts with a lexeme is never longer than a
 * section, which limits how much an intersection of two lists reads. SQLite reads both lists until it finds a post that is in both,
 * whichever ids are wanted. PostgreSQL reads every post that both lists contain.
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

export function lexemesOf(engine: Engine, { id, user_id: userId, text }: IndexedPost): string[] {
  const lexemes = [...lexemesOfText(text), authorLexeme(userId)];
  return lexemes.map((lexeme) => lexemeIn(sectionOf(engine, id), lexeme));
}

/**
 * Must be raised with every change of this file or `contract/lexemes.ts` that gives a post other lexemes. The job `index-posts` then
 * rebuilds the index.
 */
export const indexVersion = 3;

const state = prepared<object, { version: number; indexed_from: number }>((db) =>
  db.selectFrom('search_index').select(['version', 'indexed_from']),
);

const addOnSqlite = prepared<{ id: number; words: string }, never>((db, slot) =>
  db.insertInto('post_words').values({ rowid: slot('id'), words: slot('words') }),
);

/** The index of SQLite stores no texts: to remove a post, it needs the same words with which the post was added. */
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

/** Adds a post that has just been published. The index changes at the commit. */
export function addToIndex(tx: Tx, post: IndexedPost): void {
  const { id } = post;
  const words = lexemesOf(tx.engine, post);
  tx.atCommit(() =>
    tx.engine === 'sqlite' ? addOnSqlite(tx.db, { id, words: words.join(' ') }) : addOnPostgres(tx.db, { id, words }),
  );
}

/** Replaces the lexemes of a post. `before` is the post as it was indexed, null for a restored post; `after` is null for a withdrawn post. */
export async function changeIndex(tx: Tx, before: IndexedPost | null, after: IndexedPost | null): Promise<void> {
  const { id } = (before ?? after)!;
  // SQLite cannot remove a post that is not in the index: a post that the job has not reached yet is left to the job.
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
      await removeOnSqlite(tx.db, { id, words });
    } catch (error) {
      if (!isWrongIndex(error)) throw error;
      // The post was indexed with other words. The job rebuilds the index.
      return outdate(tx.db, {});
    }
    // A savepoint makes FTS5 write what it has gathered. If a post were removed and added again between two writes of FTS5, the posts
    // added after it would be missing from the lists of its words.
    await sql`savepoint words`.execute(tx.db);
    return sql`release words`.execute(tx.db);
  });
}

/** Whether the job has indexed this post. The job goes from the newest post to the oldest. */
async function isIndexed({ db }: Tx, id: number): Promise<boolean> {
  const [row] = await state(db, {});
  return row !== undefined && row.version === indexVersion && id >= row.indexed_from;
}
