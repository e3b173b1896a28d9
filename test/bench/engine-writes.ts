import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '../../server/db/database.ts';
import { prepared } from '../../server/db/prepared.ts';
import { openSqlite } from '../../server/db/sqlite/open-sqlite.ts';
import { createUser } from '../kit/create-user.ts';
import { writeOnce } from '../../server/features/posts/idempotency.ts';
import { listFeed } from '../../server/features/lists/post-lists.ts';
import { likePost, unlikePost } from '../../server/features/posts/likes.ts';
import { createPost } from '../../server/features/posts/post-writes.ts';
import { Latencies, type LoadResult } from '../measurements/run-load.ts';

const clients = 64;
const likedPosts = 1_000;
const readEveryMs = 5;

/** One of many writes by a person. */
export type Write = (tx: Tx, userId: number, i: number) => Promise<unknown>;

/** Publishes a post with an idempotency key as the server does. */
export const publishOne: Write = (tx, userId, i) =>
  writeOnce(tx, { key: `${userId} ${randomUUID()}`, now: i }, () =>
    createPost(tx, { userId, text: `Запись ${i}: сегодня на стене людно, и каждому есть что сказать.`, now: i }),
  );

/** Likes a thousand posts one after another and then unlikes them, as the server does. */
export const likeOne: Write = (tx, userId, i) => {
  const like = { postId: 1 + (i % likedPosts), userId, now: i };
  return Math.floor(i / likedPosts) % 2 === 0 ? likePost(tx, like) : unlikePost(tx, like);
};

const insertPost = prepared<{ author: number; text: string; now: number }, never>((db, slot) =>
  db.insertInto('all_posts').values({ user_id: slot('author'), text: slot('text'), created_at: slot('now') }),
);

/** Inserts one row and does nothing else. */
export const insertOne: Write = (tx, author, i) => insertPost(tx.db, { author, text: `Запись ${i}`, now: i });

const fail = (error: Error): never => {
  throw error;
};

/** An empty wall with one author, opened by the server's storage engine. */
async function newWall(file: string): Promise<{ db: Database; author: number }> {
  const db = await openSqlite(file, { onSyncFailure: fail });
  const author = await db.tx((tx) => createUser(tx, { username: 'bench', email: 'bench@example.org', now: 0 }));
  return { db, author };
}

interface EngineLoad {
  write: Write;
  seconds: number;
  /** Whether the feed is read at the same time. */
  withReads?: boolean;
}

/** Many clients write through the storage engine with no HTTP before it. */
export async function writeThroughEngine(
  file: string,
  { write, seconds, withReads = false }: EngineLoad,
): Promise<{ writes: LoadResult; reads: LoadResult }> {
  const { db, author } = await newWall(file);
  for (let i = 0; i < likedPosts; i += 100) {
    await db.tx(async (tx) => {
      for (let j = 0; j < 100; j += 1) await createPost(tx, { userId: author, text: `Запись ${i + j}`, now: i });
    });
  }
  const [writes, reads] = [new Latencies(), new Latencies()];
  const until = writes.begun + seconds * 1_000;
  let started = 0;

  async function writeOn(): Promise<void> {
    for (let now = performance.now(); now < until;) {
      const i = started;
      started += 1;
      await db.tx((tx) => write(tx, author, i));
      const finished = performance.now();
      writes.record(finished - now);
      now = finished;
    }
  }

  /** Timed from when a read is due, not from when the writers let it begin. */
  async function readOn(): Promise<void> {
    for (let due = performance.now() + readEveryMs; due < until; due += readEveryMs) {
      await sleep(Math.max(0, due - performance.now()));
      await listFeed(db.read, { page: 1 }, 10);
      reads.record(performance.now() - due);
    }
  }

  await Promise.all([...Array.from({ length: clients }, writeOn), withReads && readOn()]);
  const results = { writes: writes.result, reads: reads.result };
  await db.close();
  return results;
}

/** Rows per second that plain SQLite writes when each waits for its own sync. */
export async function writeOneByOne(file: string, seconds: number): Promise<number> {
  const { db, author } = await newWall(file);
  await db.close();
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = full');
  const insert = database.prepare('insert into all_posts (user_id, text, created_at) values (?, ?, ?)');
  const begun = performance.now();
  let written = 0;
  while (performance.now() - begun < seconds * 1_000) {
    insert.run(author, `Запись ${written}`, written);
    written += 1;
  }
  const perSecond = (written / (performance.now() - begun)) * 1_000;
  database.close();
  return perSecond;
}
