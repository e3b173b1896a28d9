import { createUser } from '../../server/account/store.ts';
import type { Database } from '../../server/db/database.ts';
import {
  changeText,
  createPost,
  createReply,
  deletePost,
  likePost,
  takePost,
  unlikePost,
} from '../../server/posts/writes.ts';

import { cookieHash, newCookie } from '../../server/sessions/rules.ts';
import { openSession } from '../../server/sessions/store.ts';

export interface Written {
  by: number;
  text: string;
  /** Its age in seconds. */
  age?: number;
}

/** What only time or many people would bring about. */
interface Marks {
  is_modified?: 1;
  likes_count?: number;
  replies_count?: number;
}

export type Seed = ReturnType<typeof seedOf>;

/** Fills a wall by the app's own stores. */
export function seedOf(db: Database) {
  const now = Math.floor(Date.now() / 1_000);
  const row = ({ by, text, age = 0 }: Written) => ({ userId: by, text, now: now - age });

  return {
    person: (username: string): Promise<number> =>
      db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now: now - 1_000 * 86_400 })),

    /** Resolves to the cookie that opens it. */
    async session(userId: number): Promise<string> {
      const cookie = newCookie();
      const device = JSON.stringify({ userAgent: 'Chrome', userAgentVersion: '142.0', os: 'Linux' });
      await db.tx((tx) =>
        openSession(tx, { userId, cookieHash: cookieHash(cookie), clientToken: 'this browser', device, now }),
      );
      return cookie;
    },

    /** Root posts in the order given: the last one stands highest in the feed. */
    posts: (posts: readonly Written[]): Promise<number[]> =>
      db.tx(async (tx) => {
        const ids: number[] = [];
        for (const post of posts) ids.push(await createPost(tx, row(post)));
        return ids;
      }),

    replies: (to: number, replies: readonly Written[]): Promise<number[]> =>
      db.tx(async (tx) => {
        const ids: number[] = [];
        for (const reply of replies) ids.push((await createReply(tx, to, row(reply)))!);
        return ids;
      }),

    edit: (id: number, text: string): Promise<void> =>
      db.tx(async (tx) => changeText(tx, (await takePost(tx, id))!, text, now)),

    remove: (id: number): Promise<void> => db.tx(async (tx) => deletePost(tx, (await takePost(tx, id))!, now)),

    like: (postId: number, userId: number): Promise<unknown> => db.tx((tx) => likePost(tx, { postId, userId, now })),

    unlike: (postId: number, userId: number): Promise<unknown> =>
      db.tx((tx) => unlikePost(tx, { postId, userId, now })),

    mark: (id: number, marks: Marks): Promise<unknown> =>
      db.tx((tx) => tx.db.updateTable('posts').set(marks).where('id', '=', id).execute()),
  };
}
