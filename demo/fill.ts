import type { Database } from '../server/db/database.ts';
import { type Batch, type FirstIds, writeBatch } from './batch.ts';
import { reserveIds } from '../server/db/reserve-ids.ts';
import { peopleFor, wall } from './wall.ts';

/** The wall already has posts. The message is for the operator. */
export class WallNotEmpty extends Error {
  override name = 'WallNotEmpty';
}

export interface Filling {
  posts: number;
  /** Unix seconds of the newest post. */
  until: number;
  seed: number;
}

export interface Filled {
  people: number;
  posts: number;
  replies: number;
  likes: number;
}

/** Posts per transaction. Small, because each transaction blocks the writes of a server on the same SQLite file. */
const batchSize = 400;

/** Fills an empty wall. Calls `onProgress` with the number of posts after each batch. */
export async function fillWall(db: Database, filling: Filling, onProgress: (posts: number) => void): Promise<Filled> {
  const people = peopleFor(filling.posts);
  const ids = await db.tx(async (tx): Promise<FirstIds> => {
    const post = await tx.db.selectFrom('posts').select('id').limit(1).executeTakeFirst();
    if (post) throw new WallNotEmpty('The wall already has posts: the demo fills an empty one only.');
    return {
      user: await reserveIds(tx, 'users', people),
      post: await reserveIds(tx, 'posts', filling.posts),
    };
  });
  const users = await db.read.selectFrom('users').select('username_key').execute();
  const taken = users.map(({ username_key: key }) => key);

  const filled: Filled = { people: 0, posts: 0, replies: 0, likes: 0 };
  for (const steps of chunks(wall({ ...filling, taken }), batchSize)) {
    const batch: Batch = { steps, firstPerson: filled.people, firstPost: filled.posts };
    await db.tx((tx) => writeBatch(tx, batch, ids));
    for (const { joined, post, likes } of steps) {
      filled.people += joined.length;
      filled.posts += 1;
      filled.replies += post.replied === null ? 0 : 1;
      filled.likes += likes.length;
    }
    onProgress(filled.posts);
  }
  return filled;
}

function* chunks<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
