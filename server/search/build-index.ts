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

const termsAtOnce = 500;

/**
 * A contentless index cannot be asked for the lexemes of a post, and a search for all lexemes of every post would read each list as
 * often as there are posts. So the index is read once, list by list, and subtracted from what the texts give.
 */
async function* onSqlite(db: Db, from: number): AsyncGenerator<Difference> {
  const missing = new Map<number, number>();
  const counted = new Map<number, number>();
  for await (const posts of postsFrom(db, from)) {
    for (const post of posts) {
      const lexemes = lexemesOf('sqlite', post);
      counted.set(post.id, lexemes.length);
      missing.set(
        post.id,
        lexemes.reduce((sum, lexeme) => sum + traceOf(lexeme), 0),
      );
    }
  }
  for await (const { term, docs } of listsOf(db)) {
    const trace = traceOf(term);
    for (const id of docs) missing.set(id, (missing.get(id) ?? 0) - trace);
  }
  for (const [id, trace] of missing) {
    if (trace === 0) continue;
    const expected = counted.get(id) ?? 0;
    yield { what: 'post_words: лексем', id, stored: expected - Math.round(trace / 2 ** 32), counted: expected };
  }
}

/** The lists of the index: each lexeme with the ids of its posts. One list at a time would be a query for each word of the wall. */
async function* listsOf(db: Db): AsyncGenerator<{ term: string; docs: number[] }> {
  for (const table of ['row', 'instance']) {
    await sql`create virtual table if not exists ${sql.table(`temp.post_words_${table}`)}
      using fts5vocab (main, post_words, ${sql.raw(table)})`.execute(db);
  }
  for (let last = ''; ;) {
    const { rows: terms } = await sql<{ term: string }>`
      select term from temp.post_words_row where term > ${last} order by term limit ${termsAtOnce}`.execute(db);
    if (terms.length === 0) return;
    const [first, end] = [terms[0]!.term, terms.at(-1)!.term];
    const { rows } = await sql<{ term: string; docs: string }>`
      select term, json_group_array(doc) as docs from temp.post_words_instance
      where term >= ${first} and term <= ${end} group by term`.execute(db);
    for (const { term, docs } of rows) yield { term, docs: JSON.parse(docs) };
    last = end;
  }
}

/**
 * A number for a lexeme, so that posts with the same lexemes have the same sum. It lies beside 2^32, so that the sum also tells how
 * many lexemes there are: their hashes of 20 bits add up to less than half of that.
 */
function traceOf(lexeme: string): number {
  let hash = 0;
  for (let i = 0; i < lexeme.length; i += 1) hash = Math.imul(hash ^ lexeme.charCodeAt(i), 0x9e3779b1);
  return 2 ** 32 + ((hash ^ (hash >>> 15)) >>> 12);
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
