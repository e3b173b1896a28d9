import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { runAdmin } from '../../../test/kit/command-process.ts';
import { engines, freshStorage } from '../../../test/kit/engines.ts';
import { type ServedWall, serveWall, unruly } from '../../../test/kit/served-wall.ts';
import { now } from '../../../test/kit/signed-in.ts';
import { createReply } from '../../features/posts/post-writes.ts';
import { commands } from './commands.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { ticksUntil } from '../../../test/kit/polling.ts';
import { likePost } from '../../features/posts/likes.ts';
import { recount } from '../verify-data/recount.ts';

for (const engine of engines) {
  describe(`admin commands beside a running server on ${engine}`, () => {
    let wall: ServedWall;
    before(async () => {
      wall = await serveWall(engine);
    });
    after(() => wall.close());

    test('a block with the posts and its end reach the server and its open event streams within a second', async (t) => {
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
        await wall.done('block', 'anna_one', '--remove-posts', '--reason', 'Реклама казино'),
        'Учётная запись anna_one заблокирована. Убрано записей: 1.',
      );
      const streamed = stream.until((events) => events.some(({ changes }) => changes.deleted.includes(String(id))));
      assert.ok((await ticksUntil(streamed)) < 100);
      await wall.seen(async () => !(await inFeed()) && (await wall.ask(`/posts/${id}`)).status === 404);
      assert.match(await wall.refused('block', 'anna_one', '--reason', 'ещё раз'), /уже в блокировке/);

      assert.equal(
        await wall.done('unblock', 'anna_one', '--restore-posts', '--reason', 'ошиблись'),
        'Блокировка снята: anna_one. Возвращено записей: 1.',
      );
      await wall.seen(inFeed);
      const { actions } = (await (await wall.ask(`/api/v1/posts/${id}`)).json()) as {
        actions: { likes_count: number; replies_count: number };
      };
      assert.deepEqual([actions.likes_count, actions.replies_count], [1, 1]);
      assert.match(await wall.refused('unblock', 'anna_one', '--reason', 'ещё раз'), /не в блокировке/);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('registration by a command', async () => {
      assert.equal(await wall.done('registration'), 'Регистрация открыта для всех.');
      assert.deepEqual(await wall.json('registration', 'invite', '--reason', 'боты'), { mode: 'invite' });
      assert.match(await wall.refused('registration', 'invite', '--reason', 'боты'), /уже только по приглашениям/);
      assert.deepEqual(await wall.json('registration', 'open', '--reason', 'боты ушли'), { mode: 'open' });
    });

    test('log lists every action with operator, time and reason, and escapes terminal control characters', async () => {
      const hostile = 'кр\u001b[31mасный\u202e\nдве\u2028строки';
      const headers = await wall.signIn(await wall.person('anna_five'));
      assert.equal(
        await wall.done('close-sessions', 'anna_five', '--as', 'Аня\u001b]0;a\u0007', '--reason', hostile),
        'anna_five: завершено сеансов: 1, токенов: 0.',
      );
      await wall.seen(async () => (await wall.ask('/api/v1/users/current', headers)).status === 401);
      const { actions } = await wall.json('log', '--limit', '1');
      const [{ at, operator, action, target, details }] = actions;
      assert.deepEqual([operator, action, target], ['Аня\\u001b]0;a\\u0007', 'close-sessions', 'anna_five']);
      assert.ok(Math.abs(at - now()) < 60);
      assert.equal(details.sessions, 1);
      const printed = await wall.done('log', '--limit', '1');
      assert.match(printed, /кр\[31mасный ⏎ две\\u2028строки$/);
      for (const output of [printed, await wall.done('log', '--json')]) assert.doesNotMatch(output, unruly);
      const all = (await wall.json('log', '--limit', '1000')).actions.map((entry: { action: string }) => entry.action);
      for (const name of ['registration', 'block']) assert.ok(all.includes(name), name);
    });

    test('owner-link refuses where people are, and names the command that appoints', async () => {
      await wall.person('anna_four');
      assert.match(await wall.refused('owner-link'), /^На стене уже есть люди\..* appoint ИМЯ --owner/);
    });

    test('stats counts people, posts and sessions', async () => {
      const earlier = await wall.json('stats');
      const anna = await wall.person('anna_six');
      await wall.post(anna, 'ещё одна');
      await wall.signIn(anna);
      const numbers = await wall.json('stats');
      for (const name of ['people', 'new_in_a_day', 'new_in_a_week', 'posts', 'sessions']) {
        assert.equal(numbers[name], earlier[name] + 1, name);
      }
      for (const name of ['replies', 'likes', 'removed_posts', 'blocked', 'open_reports']) {
        assert.equal(numbers[name], earlier[name], name);
      }
      assert.match(await wall.done('stats'), new RegExp(`^Людей +${numbers.people}\n`));
    });
  });

  test(`does not create a wall on ${engine} where there is none`, async () => {
    await using fresh = await freshStorage(engine);
    const { code, output, errors } = await runAdmin(fresh.storage, 'stats');
    assert.deepEqual([code, output], [1, '']);
    assert.match(errors, /^Стены здесь ещё нет[^\n]+\n$/);
    assert.deepEqual(await readdir(fresh.storage.dataDir), []);
    assert.match((await runAdmin(fresh.storage, 'stats')).errors, /^Стены здесь ещё нет/);
  });
}

test('help lists every command and needs no wall', async () => {
  const { code, output } = await runAdmin({ databaseUrl: undefined, dataDir: '/nowhere' }, 'help');
  assert.equal(code, 0);
  assert.ok(commands.length > 10);
  for (const { name } of commands) assert.match(output, new RegExp(`^  ${name} .*[а-я]`, 'mu'));
});

test('reports an unreachable database in one line without the password', async () => {
  const storage = { databaseUrl: 'postgres://wall:hidden-word@127.0.0.1:1/wall', dataDir: '/nowhere' };
  const { code, errors } = await runAdmin(storage, 'stats');
  assert.equal(code, 1);
  assert.match(errors, /^База данных не отвечает: [^\n]*127\.0\.0\.1:1[^\n]*\n$/);
  assert.doesNotMatch(errors, /hidden-word/);
});
