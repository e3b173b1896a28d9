import { type Kysely, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { addToIndex, indexVersion } from './post-words.ts';

/** Posts per transaction, so that other writers do not wait long. */
const batch = 100;

interface Run {
  signal: AbortSignal;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Indexes the posts that are not in the index, the newest first: those of a wall that was moved from another engine, and all
 * when the rules for words have changed. A run that is interrupted is continued by the next one.
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
    // Nobody may change or delete a post between this query and the commit.
    .$if(tx.engine === 'postgres', (query) => query.forShare())
    .execute();
  for (const post of posts) addToIndex(tx, post);
  const reached = posts.length < batch ? 0 : posts.at(-1)!.id;
  await db.updateTable('search_index').set({ indexed_from: reached }).execute();
  return { ...state, indexed_from: reached };
}
