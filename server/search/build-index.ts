import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { addToIndex, type IndexedPost, indexVersion, lexemesOf } from './post-words.ts';

const verifyBatch = 500;

interface Difference {
  what: string;
  id: number;
  stored: number;
  counted: number;
}

type Db = Kysely<Schema>;

/** Compares the index with the texts of the posts. Posts that the job has not indexed yet are left out. */
export async function* verifyIndex(db: Db): AsyncGenerator<Difference> {
  const state = await db.selectFrom('search_index').selectAll().executeTakeFirst();
  if (state?.version !== indexVersion) return;
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  yield* isPostgres ? onPostgres(db, state.indexed_from) : onSqlite(db, state.indexed_from);
}

async function* postsFrom(db: Db, from: number): AsyncGenerator<IndexedPost[]> {
  for (let next = from; ;) {
    const posts = await db
      .selectFrom('posts')
      .select(['id', 'user_id', 'text'])
      .where('id', '>=', next)
      .orderBy('id')
      .limit(verifyBatch)
      .execute();
    if (posts.length === 0) return;
    yield posts;
    next = posts.at(-1)!.id + 1;
  }
}

/** A contentless index cannot be read. So each post must be found by all its lexemes, and the total number of lexemes must agree. */
async function* onSqlite(db: Db, from: number): AsyncGenerator<Difference> {
  let counted = 0;
  for await (const posts of postsFrom(db, from)) {
    for (const post of posts) {
      const lexemes = lexemesOf('sqlite', post);
      counted += lexemes.length;
      const query = lexemes.map((lexeme) => `"${lexeme}"`).join(' ');
      const { rows } = await sql`
        select rowid from post_words where post_words match ${query} and rowid = ${post.id}`.execute(db);
      if (rows.length === 0) yield { what: 'post_words: лексем', id: post.id, stored: 0, counted: lexemes.length };
    }
  }
  await sql`create virtual table if not exists temp.post_words_terms using fts5vocab (main, post_words, row)`.execute(
    db,
  );
  const { rows } = await sql<{ n: number }>`select coalesce(sum(doc), 0) as n from temp.post_words_terms`.execute(db);
  if (rows[0]!.n !== counted) yield { what: 'post_words: лексем во всех записях', id: 0, stored: rows[0]!.n, counted };
}

async function* onPostgres(db: Db, from: number): AsyncGenerator<Difference> {
  const what = 'post_words: лексем';
  for await (const posts of postsFrom(db, from)) {
    const ids = posts.map(({ id }) => id);
    const rows = await db
      .selectFrom('post_words')
      .select(['post_id', sql<string[]>`tsvector_to_array(words)`.as('lexemes')])
      .where('post_id', 'in', ids)
      .execute();
    const stored = new Map(rows.map(({ post_id: id, lexemes }) => [id, new Set(lexemes)]));
    for (const post of posts) {
      const expected = new Set(lexemesOf('postgres', post));
      const found = stored.get(post.id) ?? new Set();
      if (found.symmetricDifference(expected).size === 0) continue;
      yield { what, id: post.id, stored: found.size, counted: expected.size };
    }
  }
  const { rows } = await sql<{ id: number; stored: number }>`
    select post_id as id, length(words) as stored from post_words w
    where not exists (select from posts p where p.id = w.post_id) order by post_id`.execute(db);
  for (const { id, stored } of rows) yield { what, id, stored, counted: 0 };
}

/** Posts per transaction, so that other writers do not wait long. */
const batch = 100;

interface Run {
  signal: AbortSignal;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Indexes the posts that are not in the index, the newest first: all posts after a wall was moved from another engine, or after
 * the rules for words have changed. A run that is interrupted is continued by the next one.
 */
export async function buildIndex(read: Kysely<Schema>, { signal, tx }: Run): Promise<void> {
  let state = await read.selectFrom('search_index').selectAll().executeTakeFirst();
  if (state?.version !== indexVersion) state = await tx(startAnew);
  while (state.indexed_from > 0) {
    signal.throwIfAborted();
    state = await tx(indexBatch);
  }
}

type State = Schema['search_index'];

async function startAnew(tx: Tx): Promise<State> {
  const { db } = tx;
  const empty =
    tx.engine === 'sqlite' ? sql`insert into post_words (post_words) values ('delete-all')` : sql`truncate post_words`;
  tx.atCommit(() => empty.execute(db));
  const newest = await db.selectFrom('posts').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const state = { version: indexVersion, indexed_from: (newest?.id ?? 0) + 1 };
  await db.deleteFrom('search_index').execute();
  await db.insertInto('search_index').values(state).execute();
  return state;
}

async function indexBatch(tx: Tx): Promise<State> {
  const { db } = tx;
  const state = await db.selectFrom('search_index').selectAll().executeTakeFirstOrThrow();
  const posts = await db
    .selectFrom('posts')
    .select(['id', 'user_id', 'text'])
    .where('id', '<', state.indexed_from)
    .orderBy('id', 'desc')
    .limit(batch)
    // The locks prevent that a post is changed or deleted between this query and the commit.
    .$if(tx.engine === 'postgres', (query) => query.forShare())
    .execute();
  for (const post of posts) addToIndex(tx, post);
  const reached = posts.length < batch ? 0 : posts.at(-1)!.id;
  await db.updateTable('search_index').set({ indexed_from: reached }).execute();
  return { ...state, indexed_from: reached };
}
