import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readWhole, shape, threadOf, wallOf } from '../../../test/kit/discussion.ts';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { recount } from '../../commands/verify-data/recount.ts';

for (const engine of engines) {
  describe(`the gaps of a thread on ${engine}`, () => {
    test('keeps its shape around what is deleted', async (t) => {
      const wall = await wallOf(t, engine);
      const root = await wall.post(wall.anna, 'корень');
      const [a, b] = [await wall.reply(wall.anna, root, 'а'), await wall.reply(wall.anna, root, 'б')];
      const c = await wall.reply(wall.anna, a, 'в');
      const d = await wall.reply(wall.anna, c, 'г');
      await wall.remove(b);
      await wall.remove(c);
      const { replies, total, post } = await threadOf(wall, root);
      assert.equal(shape(replies), `${a}(-${c}(${d}))`);
      assert.deepEqual([total, post.actions.replies_count, post.actions.thread_count], [1, 1, 2]);
      assert.deepEqual(replies[0].replies[0].post, null);
      await wall.remove(a);
      const without = await threadOf(wall, root);
      assert.deepEqual(
        [shape(without.replies), without.total, without.post.actions.replies_count],
        [`-${a}(-${c}(${d}))`, 1, 0],
      );
      await wall.remove(d);
      assert.equal(shape((await threadOf(wall, root)).replies), '');
      assert.deepEqual(await wall.db.read.selectFrom('thread_gaps').selectAll().execute(), []);
      assert.equal((await wall.get(`/api/v1/posts/${a}/thread`)).status, 404);
    });

    test('reads few replies with many gaps between them', async (t) => {
      const wall = await wallOf(t, engine);
      const root = await wall.post(wall.anna, 'корень');
      const chain = [root];
      for (let i = 0; i < 60; i += 1) chain.push(await wall.reply(wall.anna, chain.at(-1)!, `${i}`));
      const last = chain.at(-1)!;
      for (const id of chain.slice(1, -1)) await wall.remove(id);
      const { nodes } = await readWhole(wall, root, { limit: 10 });
      assert.deepEqual([nodes.size, nodes.get(`${last}`)!.post!.text], [60, '59']);
      assert.equal((await threadOf(wall, root)).post.actions.thread_count, 1);
    });

    test('closes a long chain a hundred gaps at a time, and stops where there is a reply again', async (t) => {
      const wall = await wallOf(t, engine);
      const root = await wall.post(wall.anna, 'корень');
      const chain = [root];
      for (let i = 0; i < 250; i += 1) chain.push(await wall.reply(wall.anna, chain.at(-1)!, `${i}`));
      const last = String(chain.pop()!);
      for (const id of chain.slice(1)) await removePost(wall, String(id));
      const gaps = async (): Promise<number> => {
        assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
        return (await wall.db.read.selectFrom('thread_gaps').select('id').execute()).length;
      };
      assert.equal(await gaps(), 249);
      await removePost(wall, last);
      assert.equal(await gaps(), 149);
      assert.equal((await threadOf(wall, root)).post.actions.thread_count, 0);
      await restore(wall, last);
      await runJobs(wall.db, wall.clock.now);
      assert.equal(await gaps(), 249);
      await removePost(wall, last);
      await runJobs(wall.db, wall.clock.now);
      assert.equal(await gaps(), 0);
      assert.equal(shape((await threadOf(wall, root)).replies), '');
    });

    test('opens below the root for a restored reply whose replied post was deleted for good', async (t) => {
      const wall = await wallOf(t, engine);
      const root = await wall.post(wall.anna, 'корень');
      const a = await wall.reply(wall.anna, root, 'а');
      const b = await wall.reply(wall.anna, a, 'б');
      const c = await wall.reply(wall.anna, b, 'в');
      await removePost(wall, String(c));
      await wall.remove(b);
      await restore(wall, String(c));
      assert.equal(shape((await threadOf(wall, root)).replies), `-${b}(${c}) ${a}`);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('hides what deleted accounts wrote at once, and keeps its shape', async (t) => {
      const wall = await wallOf(t, engine);
      const boris = await register(wall);
      const his = Number(boris.id);
      const root = await wall.post(wall.anna, 'корень');
      const reply = await wall.reply(his, root, 'его ответ');
      const nested = await wall.reply(wall.anna, reply, 'ответ ему');
      const end = await wall.reply(his, nested, 'конец');
      await wall.reply(his, end, 'сам себе');
      wall.clock.now += 61;
      await deleteAccount(wall, boris);
      assert.equal(shape((await threadOf(wall, root)).replies), `-${reply}(${nested})`);
      assert.deepEqual((await threadOf(wall, nested)).ancestors.length, 1);
      await runJobs(wall.db, wall.clock.now);
      const { replies, post } = await threadOf(wall, root);
      assert.deepEqual([shape(replies), post.actions.thread_count], [`-${reply}(${nested})`, 1]);
    });
  });
}
