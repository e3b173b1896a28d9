import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { deleteUser } from '../account/store.ts';
import { likePost } from './likes.ts';
import { changeText, lockPost } from './writes.ts';

for (const engine of engines) {
  describe(`replies of one author on ${engine}`, () => {
    async function open(t: TestContext) {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await wall.person('anna_petrova');
      const boris = await wall.person('boris_77');
      const posts = async (query: string) => {
        const path = `/api/v1/posts?userId=${anna}${query}`;
        const { json } = await wall.get(path);
        // Cached from the second request on.
        assert.deepEqual((await wall.get(path)).json, json);
        return json;
      };
      const list = (query = '') => posts(`&filter=replies${query}`);
      /** The content of the list: each text with the text it replies to, and the total. */
      const shown = async () => {
        const { posts: found, total } = await list();
        assert.equal((await list('&page=9')).total, total);
        return [...found.map((post: Post) => [post.text, post.actions.replied_post?.text]), total];
      };
      return { wall, anna, boris, posts, list, shown };
    }

    test('are listed newest first, direct and nested ones, in pages', async (t) => {
      const { wall, anna, boris, posts, list } = await open(t);
      const root = await wall.post(boris, 'вопрос');
      await wall.post(anna, 'её запись');
      const texts: string[] = [];
      for (let i = 1; i <= 12; i += 1) {
        const his = await wall.reply(boris, root, `его ответ ${i}`);
        await wall.reply(anna, i % 2 ? root : his, `её ответ ${i}`);
        texts.unshift(`её ответ ${i}`);
      }
      const first = await list();
      assert.deepEqual([first.firstPage, first.lastPage, first.total], [1, 2, 12]);
      assert.equal(first.posts[0].actions.replied_post.text, 'его ответ 12');
      await wall.reply(anna, root, 'её поздний ответ');
      const rest = await list(`&cursor=${first.next}`);
      assert.equal(rest.next, null);
      assert.deepEqual(
        [...first.posts, ...rest.posts].map(({ text }: Post) => text),
        texts,
      );
      assert.equal((await list('&page=2')).posts.length, 3);
      assert.equal((await list()).total, 13);
      assert.equal((await posts('')).total, 1);
    });

    test('need an author', async (t) => {
      const { wall, list } = await open(t);
      const { status, json } = await wall.get('/api/v1/posts?filter=replies');
      assert.deepEqual([status, json.code], [400, 'INVALID_REQUEST']);
      assert.equal((await list()).total, 0);
      for (const nobody of ['999999', 'abc']) {
        assert.equal((await wall.get(`/api/v1/posts?filter=replies&userId=${nobody}`)).json.total, 0);
      }
    });

    test('are current after every write', async (t) => {
      const { wall, anna, boris, shown } = await open(t);
      const root = await wall.post(boris, 'вопрос');
      assert.deepEqual(await shown(), [0]);
      const reply = await wall.reply(anna, root, 'ответ');
      assert.deepEqual(await shown(), [['ответ', 'вопрос'], 1]);
      await wall.db.tx(async (tx) => changeText(tx, (await lockPost(tx, root))!, 'другой вопрос', wall.clock.now));
      assert.deepEqual(await shown(), [['ответ', 'другой вопрос'], 1]);
      const second = await wall.reply(anna, reply, 'ещё');
      assert.deepEqual(await shown(), [['ещё', 'ответ'], ['ответ', 'другой вопрос'], 2]);
      await wall.remove(second);
      assert.deepEqual(await shown(), [['ответ', 'другой вопрос'], 1]);
      await removePost(wall, `${root}`);
      assert.deepEqual(await shown(), [['ответ', undefined], 1]);
      await restore(wall, `${root}`);
      assert.deepEqual(await shown(), [['ответ', 'другой вопрос'], 1]);
      await removePost(wall, `${reply}`);
      assert.deepEqual(await shown(), [0]);
      await restore(wall, `${reply}`);
      assert.deepEqual(await shown(), [['ответ', 'другой вопрос'], 1]);
    });

    test('show likes as they are', async (t) => {
      const { wall, anna, boris, list } = await open(t);
      const reply = await wall.reply(anna, await wall.post(boris, 'вопрос'), 'ответ');
      assert.equal((await list()).posts[0].actions.likes_count, 0);
      await wall.db.tx((tx) => likePost(tx, { postId: reply, userId: boris, now: 1 }));
      assert.equal((await list()).posts[0].actions.likes_count, 1);
    });

    test('disappear with the account, and the total with them', async (t) => {
      const { wall, anna, boris, shown } = await open(t);
      const his = await wall.post(boris, 'вопрос');
      await wall.reply(anna, his, 'ответ');
      assert.deepEqual(await shown(), [['ответ', 'вопрос'], 1]);
      await wall.db.tx((tx) => deleteUser(tx, anna, wall.clock.now));
      assert.deepEqual(await shown(), [0]);
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await shown(), [0]);
    });

    test('quote nothing of a deleted account', async (t) => {
      const { wall, anna, boris, shown } = await open(t);
      await wall.reply(anna, await wall.post(boris, 'вопрос'), 'ответ');
      assert.deepEqual(await shown(), [['ответ', 'вопрос'], 1]);
      await wall.db.tx((tx) => deleteUser(tx, boris, wall.clock.now));
      assert.deepEqual(await shown(), [['ответ', undefined], 1]);
    });
  });
}
