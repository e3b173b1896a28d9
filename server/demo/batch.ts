import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { countRootPost } from '../posts/feed-counts.ts';
import { type Change, changesOf, type UserChange } from './changes.ts';
import type { Step } from './wall.ts';

/** The ids of the first person and the first post of the demo. */
export interface FirstIds {
  user: number;
  post: number;
}

/** Steps of the wall's life that are written together. */
export interface Batch {
  steps: readonly Step[];
  /** The number of the first person who joins in them, and of the first post. */
  firstPerson: number;
  firstPost: number;
}

/** Rows of one statement; both engines limit its parameters. */
const rowsAtOnce = 250;

/** Writes a batch with all that it changes: the counts are right after each. */
export async function writeBatch(tx: Tx, batch: Batch, ids: FirstIds): Promise<void> {
  const { posts, users } = changesOf(batch.steps);
  await insertPeople(tx, batch, ids);
  await insertPosts(tx, batch, ids, posts);
  await insertLikes(tx, batch, ids);
  await addToPosts(
    tx,
    [...posts].filter(([post]) => post < batch.firstPost),
    ids,
  );
  await addToUsers(tx, [...users], ids);
  await countInFeed(tx, batch, ids);
}

async function insertPeople({ db }: Tx, { steps, firstPerson }: Batch, ids: FirstIds): Promise<void> {
  const rows = steps
    .flatMap(({ joined, at }) => joined.map((person) => ({ person, at })))
    .map(({ person: { username, email }, at }, i) => ({
      id: ids.user + firstPerson + i,
      username,
      username_key: username.toLowerCase(),
      email,
      created_at: at,
    }));
  for (const part of parts(rows)) await db.insertInto('users').values(part).execute();
}

async function insertPosts({ db }: Tx, { steps, firstPost }: Batch, ids: FirstIds, changes: Map<number, Change>) {
  const rows = steps.map(({ at, post }, i) => ({
    id: ids.post + firstPost + i,
    user_id: ids.user + post.author,
    text: post.text,
    created_at: at,
    is_modified: post.isModified ? 1 : 0,
    parent_post_id: post.parent === null ? null : ids.post + post.parent,
    replied_post_id: post.replied === null ? null : ids.post + post.replied,
    likes_count: changes.get(firstPost + i)?.likes ?? 0,
    replies_count: changes.get(firstPost + i)?.replies ?? 0,
  }));
  for (const part of parts(rows)) await db.insertInto('posts').values(part).execute();
}

async function insertLikes({ db }: Tx, { steps }: Batch, ids: FirstIds): Promise<void> {
  const rows = steps.flatMap(({ at, likes }) =>
    likes.map(({ post, person }) => ({ post_id: ids.post + post, user_id: ids.user + person, created_at: at })),
  );
  for (const part of parts(rows)) await db.insertInto('likes').values(part).execute();
}

async function addToPosts({ db }: Tx, changes: Array<[number, Change]>, ids: FirstIds): Promise<void> {
  for (const part of parts(changes)) {
    const rows = part.map(([post, { likes, replies }]) => numbers(ids.post + post, likes, replies));
    await sql`
      update posts set likes_count = likes_count + added.column2, replies_count = replies_count + added.column3
      from (values ${sql.join(rows)}) as added where posts.id = added.column1`.execute(db);
  }
}

async function addToUsers({ db }: Tx, changes: Array<[number, UserChange]>, ids: FirstIds): Promise<void> {
  for (const part of parts(changes)) {
    const rows = part.map(([person, { posts, replies, likes }]) => numbers(ids.user + person, posts, replies, likes));
    await sql`
      update users set posts_count = posts_count + added.column2, replies_count = replies_count + added.column3,
        likes_count = likes_count + added.column4
      from (values ${sql.join(rows)}) as added where users.id = added.column1`.execute(db);
  }
}

async function countInFeed(tx: Tx, { steps, firstPost }: Batch, ids: FirstIds): Promise<void> {
  for (const [i, { post }] of steps.entries()) {
    if (post.replied === null) await countRootPost(tx, ids.post + firstPost + i, 1);
  }
}

/** A row of `values`; PostgreSQL takes an untyped parameter there for text. */
function numbers(...values: number[]) {
  return sql`(${sql.join(values.map((value) => sql`cast(${value} as bigint)`))})`;
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce);
}
