import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { serveWall, type ServedWall } from '../../../test/kit/served-wall.ts';
import { now } from '../../../test/kit/signed-in.ts';
import { turnsUntil } from '../../../test/kit/turns.ts';
import { likePost } from '../../features/posts/likes.ts';
import { createReply } from '../../features/posts/writes.ts';
import { recount } from '../verify-data/recount.ts';

for (const engine of engines) {
  describe(`admin commands beside a running server on ${engine}`, () => {
    let wall: ServedWall;
    before(async () => {
      wall = await serveWall(engine);
    });
    after(() => wall.close());

    test('removing and restoring a post reach the server and its open event streams within a second', async (t) => {
      const [anna, boris] = [await wall.person('anna_one'), await wall.person('boris_one')];
      const id = await wall.post(anna, 'казино');
      await wall.db.tx((tx) => createReply(tx, id, { userId: boris, text: 'ответ', now: now() }));
      await wall.db.tx((tx) => likePost(tx, { postId: id, userId: boris, now: now() }));
      const feedPosts = async () =>
        ((await (await wall.ask('/api/v1/posts')).json()) as { posts: Array<{ id: string }> }).posts;
      const inFeed = async () => (await feedPosts()).some((post) => post.id === String(id));
      await wall.seen(inFeed);
      const stream = await readEvents(`${wall.address}/api/v1/events`);
      t.after(stream.close);

      assert.equal(
        await wall.done('remove', String(id), '--reason', 'Реклама казино'),
        `Запись ${id} убрана со стены. Закрыто жалоб: 0.`,
      );
      const streamed = stream.until((events) => events.some(({ changes }) => changes.deleted.includes(String(id))));
      assert.ok((await turnsUntil(streamed)) < 100);
      await wall.seen(async () => !(await inFeed()) && (await wall.ask(`/posts/${id}`)).status === 404);
      assert.match(await wall.refused('remove', String(id), '--reason', 'ещё раз'), /уже убрана/);

      assert.equal(await wall.done('restore', String(id), '--reason', 'ошиблись'), `Запись ${id} возвращена на стену.`);
      await wall.seen(inFeed);
      const { actions } = (await (await wall.ask(`/api/v1/posts/${id}`)).json()) as {
        actions: { likes_count: number; replies_count: number };
      };
      assert.deepEqual([actions.likes_count, actions.replies_count], [1, 1]);
      assert.match(await wall.refused('restore', String(id), '--reason', 'ещё раз'), /не убрана/);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('blocking signs a person out and hides their posts; unblocking restores exactly those posts', async () => {
      const anna = await wall.person('anna_two');
      const ids: number[] = [];
      for (let i = 0; i < 120; i += 1) ids.push(await wall.post(anna, `реклама ${i}`));
      await wall.done('remove', String(ids[0]), '--reason', 'первая');
      const headers = await wall.signIn(anna);
      assert.equal((await wall.ask('/api/v1/users/current', headers)).status, 200);

      assert.deepEqual(await wall.json('block', 'Anna_Two', '--reason', 'Рекламный робот'), {
        user: 'anna_two',
        blocked: true,
        removed_posts: 0,
      });
      await wall.seen(async () => (await wall.ask('/api/v1/users/current', headers)).status === 403);
      assert.deepEqual(await (await wall.ask('/api/v1/users/current', headers)).json(), {
        code: 'ACCOUNT_BLOCKED',
        message: 'Учётная запись заблокирована. Причина: Рекламный робот',
      });
      assert.match(await wall.refused('block', 'anna_two', '--reason', 'снова'), /уже в блокировке/);

      const total = async () =>
        ((await (await wall.ask(`/api/v1/posts?userId=${anna}`)).json()) as { total: number }).total;
      const removed = await wall.json('block', 'anna_two', '--remove-posts', '--reason', 'и написанное');
      assert.equal(removed.removed_posts, 119);
      await wall.seen(async () => (await total()) === 0);
      const restored = await wall.json('unblock', 'anna_two', '--restore-posts', '--reason', 'не робот');
      assert.deepEqual(restored, { user: 'anna_two', blocked: false, restored_posts: 119 });
      await wall.seen(async () => (await total()) === 119);
      assert.equal((await wall.ask('/api/v1/users/current', headers)).status, 401);
      assert.match(await wall.refused('unblock', 'anna_two', '--reason', 'снова'), /не в блокировке/);

      await wall.done('block', 'anna_two', '--remove-posts', '--reason', 'опять');
      assert.match(await wall.done('unblock', 'anna_two', '--reason', 'пусть пишет'), /Возвращено записей: 0/);
      await wall.done('block', 'anna_two', '--reason', 'в третий раз');
      assert.equal((await wall.json('unblock', 'anna_two', '--restore-posts', '--reason', 'и это')).restored_posts, 0);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
      const { actions } = await wall.json('log');
      const entries = actions.filter(({ target }: { target: string }) => target === 'anna_two');
      assert.deepEqual(
        entries.toReversed().map(({ action, reason }: Record<string, string>) => [action, reason]),
        [
          ['block', 'Рекламный робот'],
          ...Array.from({ length: 3 }, () => ['remove-posts', 'и написанное']),
          ['unblock', 'не робот'],
          ...Array.from({ length: 3 }, () => ['restore-posts', 'не робот']),
          ['block', 'опять'],
          ...Array.from({ length: 3 }, () => ['remove-posts', 'опять']),
          ['unblock', 'пусть пишет'],
          ['block', 'в третий раз'],
          ['unblock', 'и это'],
        ],
      );
    });
  });
}
