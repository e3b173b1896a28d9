import { randomUUID } from 'node:crypto';
import type { Tx } from '../../server/db/database.ts';
import { once } from '../../server/posts/idempotency.ts';
import { createPost, likePost, unlikePost } from '../../server/posts/writes.ts';
import { newWall } from './new-wall.ts';

const clients = 64;
const likedPosts = 1_000;

/** One of many writes by a person. */
export type Write = (tx: Tx, userId: number, i: number) => Promise<unknown>;

/** As the server publishes a post that comes with a key. */
export const publishOne: Write = (tx, userId, i) =>
  once(tx, { key: `${userId} ${randomUUID()}`, now: i }, () =>
    createPost(tx, { userId, text: `Запись ${i}: сегодня на стене людно, и каждому есть что сказать.`, now: i }),
  );

/** As the server counts likes, given to a thousand posts in turn and then taken back. */
export const likeOne: Write = (tx, userId, i) => {
  const like = { postId: 1 + (i % likedPosts), userId, now: i };
  return Math.floor(i / likedPosts) % 2 === 0 ? likePost(tx, like) : unlikePost(tx, like);
};

/** How many such writes a second the storage engine acknowledges when nothing stands before it. */
export async function writeWithEngineAlone(file: string, write: Write, seconds: number): Promise<number> {
  const { db, author } = await newWall(file);
  for (let i = 0; i < likedPosts; i += 100) {
    await db.tx(async (tx) => {
      for (let j = 0; j < 100; j += 1) await createPost(tx, { userId: author, text: `Запись ${i + j}`, now: i });
    });
  }
  let written = 0;
  const begun = performance.now();
  const until = begun + seconds * 1_000;
  const keepWriting = async (): Promise<void> => {
    while (performance.now() < until) {
      const i = written;
      written += 1;
      await db.tx((tx) => write(tx, author, i));
    }
  };
  await Promise.all(Array.from({ length: clients }, keepWriting));
  const perSecond = (written / (performance.now() - begun)) * 1_000;
  await db.close();
  return perSecond;
}
