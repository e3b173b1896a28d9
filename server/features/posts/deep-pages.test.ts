import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

/** More than a page number may skip. */
const many = 1_060;
const limit = 50;

/** Boris likes all of Anna's posts and replies to the first one as many times. */
async function fill({ db, clock: { now } }: Wall, anna: number, boris: number): Promise<void> {
  const numbers = Array.from({ length: many }, (_, i) => i + 1);
  const written = { text: 'одна из многих', created_at: now };
  const posts = numbers.map((id) => ({ ...written, id, user_id: anna, likes_count: 1 }));
  const replies = numbers.map((no) => ({
    ...written,
    id: many + no,
    user_id: boris,
    parent_post_id: 1,
    replied_post_id: 1,
  }));
  const likes = numbers.map((id) => ({ post_id: id, user_id: boris, created_at: now }));
  const notifications = numbers.map((no) => ({
    user_id: anna,
    no,
    post_id: many + no,
    author_id: boris,
    kind: 'answer' as const,
  }));
  await db.tx(async (tx) => {
    await tx.db.insertInto('posts').values(posts).execute();
    await tx.db.insertInto('posts').values(replies).execute();
    await tx.db.insertInto('likes').values(likes).execute();
    await tx.db.insertInto('notifications').values(notifications).execute();
    await tx.db.updateTable('posts').set({ replies_count: many }).where('id', '=', 1).execute();
    await tx.db
      .updateTable('users')
      .set({ posts_count: many, notifications_count: many })
      .where('id', '=', anna)
      .execute();
    await tx.db.updateTable('users').set({ replies_count: many, likes_count: many }).where('id', '=', boris).execute();
  });
}

for (const engine of engines) {
  test(`every list continues by cursor at any depth, by page number down to a thousand posts, on ${engine}`, async (t) => {
    const wall = await openWall(engine);
    t.after(wall.close);
    const [anna, boris] = [await register(wall), await register(wall)];
    await fill(wall, Number(anna.id), Number(boris.id));
    const lists: Array<[string, Member]> = [
      ['/posts/1/replies?', anna],
      [`/posts?userId=${anna.id}&`, anna],
      ['/posts/replies?', boris],
      [`/posts?filter=replies&userId=${boris.id}&`, anna],
      ['/posts?filter=liked&', boris],
      ['/users/current/notifications?', anna],
    ];
    for (const [list, member] of lists) {
      const read = async (place: string) => {
        const response = await member.send('GET', `${list}limit=${limit}&${place}`);
        return { status: response.statusCode, ...response.json() };
      };
      const idsOf = (page: { posts: Post[] }) => page.posts.map(({ id }) => id);

      const walked: string[] = [];
      for (let next: string | null = '', at = 1; next !== null; at += 1) {
        const page = await read(next === '' ? 'page=1' : `page=${at}&cursor=${next}`);
        walked.push(...idsOf(page));
        next = page.next;
      }
      assert.equal(new Set(walked).size, many, list);

      for (const page of [1, 2, 11, 21]) {
        const found = await read(`page=${page}`);
        assert.deepEqual(idsOf(found), walked.slice((page - 1) * limit, page * limit), `${list} page ${page}`);
        assert.deepEqual([found.total, found.lastPage], [many, 22]);
      }
      const tooDeep = await read('page=22');
      assert.deepEqual([tooDeep.status, tooDeep.code], [400, 'INVALID_REQUEST'], list);
      assert.match(tooDeep.message, /cursor/);
      for (const page of [23, 999_999_999]) {
        const { status, posts, total, next } = await read(`page=${page}`);
        assert.deepEqual([status, posts, total, next], [200, [], many, null], `${list} page ${page}`);
      }
    }
  });
}
