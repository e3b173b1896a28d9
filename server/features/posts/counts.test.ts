import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { likePost, unlikePost } from './likes.ts';

for (const engine of engines) {
  describe(`stored counts on ${engine}`, () => {
    test('stay exact under concurrent writes', async () => {
      const wall = await openWall(engine);
      const people = await Promise.all(
        ['anna_1', 'boris_2', 'vera_3', 'gleb_4', 'dina_5'].map((name) => wall.person(name)),
      );
      const [anna] = people as [number];
      const roots = await Promise.all(Array.from({ length: 12 }, (_, i) => wall.post(people[i % 5]!, `запись ${i}`)));
      const popular = roots[0]!;

      await Promise.all([
        ...people.flatMap((userId) =>
          Array.from({ length: 8 }, () => wall.db.tx((tx) => likePost(tx, { postId: popular, userId, now: 1 }))),
        ),
        ...people.flatMap((userId) => [
          wall.db.tx((tx) => likePost(tx, { postId: roots[1]!, userId, now: 1 })),
          wall.db.tx((tx) => unlikePost(tx, { postId: roots[1]!, userId, now: 1 })),
        ]),
        ...Array.from({ length: 30 }, (_, i) => wall.reply(people[i % 5]!, popular, `ответ ${i}`)),
        ...people.map((userId) => wall.db.tx((tx) => likePost(tx, { postId: roots[2]!, userId, now: 1 }))),
        wall.remove(roots[2]!),
        wall.remove(roots[3]!),
      ]);

      const { json } = await wall.get(`/api/v1/posts/${popular}`);
      assert.deepEqual([json.actions.likes_count, json.actions.replies_count], [5, 30]);
      assert.equal((await wall.get('/api/v1/posts')).json.total, 10);
      assert.equal((await wall.get(`/api/v1/posts/${roots[2]!}`)).status, 404);
      assert.equal(await wall.db.tx((tx) => likePost(tx, { postId: roots[2]!, userId: anna, now: 1 })), undefined);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
      await wall.close();
    });

    test('differences are found by a recount', async () => {
      const wall = await openWall(engine);
      const anna = await wall.person('anna_petrova');
      const id = await wall.post(anna, 'запись');
      await wall.db.tx(async ({ db }) => {
        await db.updateTable('posts').set({ likes_count: 7 }).execute();
        await db.updateTable('users').set({ posts_count: 2 }).execute();
        await db.updateTable('feed_counts').set({ n: 5 }).where('span', '=', 20).execute();
      });
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), [
        { what: 'users.posts_count', id: anna, stored: 2, counted: 1 },
        { what: 'posts.likes_count', id, stored: 7, counted: 0 },
        { what: 'feed_counts by million', id: 0, stored: 5, counted: 1 },
      ]);
      await wall.close();
    });
  });
}
