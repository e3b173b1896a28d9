import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { runAdmin } from '../../../test/kit/command-process.ts';
import { engines, freshPlace } from '../../../test/kit/engines.ts';
import { serveWall, type ServedWall, unruly } from '../../../test/kit/served-wall.ts';
import { now } from '../../../test/kit/signed-in.ts';
import { lockPost } from '../../features/posts/writes.ts';
import { addReport } from '../../features/reports/store.ts';

for (const engine of engines) {
  describe(`admin commands on ${engine}`, () => {
    let wall: ServedWall;
    before(async () => {
      wall = await serveWall(engine);
    });
    after(() => wall.close());

    const report = (userId: number, id: number, reasonId: string): Promise<void> =>
      wall.db.tx(async (tx) => addReport(tx, { post: (await lockPost(tx, id))!, userId, reasonId, now: now() }));

    test('reports lists the reported text, the reporters and the state of each report', async () => {
      const [anna, boris, clara] = [
        await wall.person('anna_three'),
        await wall.person('boris_three'),
        await wall.person('clara_three'),
      ];
      const [one, two] = [await wall.post(anna, 'первая\nв две строки'), await wall.post(anna, 'вторая')];
      await report(boris, one, 'spam');
      await report(clara, one, 'abuse');
      await report(boris, two, 'fraud');
      const { posts } = await wall.json('reports', '--open');
      assert.deepEqual(
        posts.map((post: Record<string, unknown>) => [post['id'], post['author'], post['state'], post['open']]),
        [
          [String(one), 'anna_three', 'visible', 2],
          [String(two), 'anna_three', 'visible', 1],
        ],
      );
      const [newest] = posts[0].reports;
      assert.deepEqual(
        { ...newest, at: 0 },
        { by: 'clara_three', at: 0, reason_id: 'abuse', comment: null, text: 'первая\nв две строки', open: true },
      );
      assert.ok(Math.abs(newest.at - now()) < 60);

      assert.equal(await wall.done('dismiss', String(two), '--reason', 'не мошенничество'), 'Закрыто жалоб: 1.');
      assert.match(
        await wall.refused('dismiss', String(two), '--reason', 'ещё раз'),
        /Открытых жалоб на запись \d+ нет/,
      );
      assert.match(await wall.done('remove', String(one), '--reason', 'спам'), /Закрыто жалоб: 2\./);
      assert.equal(await wall.done('reports', '--open'), 'Жалоб нет.');
      const text = await wall.done('reports', '--limit', '1');
      assert.match(
        text,
        new RegExp(
          `^Запись ${two} · anna_three · на стене · жалоб открыто 0 из 1\n  │ вторая\n  \\S+, \\S+  boris_three: Мошенничество \\(закрыта\\)$`,
        ),
      );
    });

    test('close-sessions ends all sessions of a person', async () => {
      const headers = await wall.signIn(await wall.person('anna_four'));
      assert.equal(
        await wall.done('close-sessions', 'anna_four', '--reason', 'украли телефон'),
        'anna_four: завершено сеансов: 1.',
      );
      await wall.seen(async () => (await wall.ask('/api/v1/users/current', headers)).status === 401);
    });

    test('registration invite rejects registrations without an invite', async () => {
      const register = (invite?: string) =>
        fetch(`${wall.address}/api/v1/registrations`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            email: 'new@example.org',
            clientToken: 'a',
            device: { userAgent: 'a', userAgentVersion: '1', os: 'a' },
            ...(invite && { invite }),
          }),
        });
      assert.equal(await wall.done('registration'), 'Регистрация открыта для всех.');
      assert.deepEqual(await wall.json('registration', 'invite', '--reason', 'боты'), { mode: 'invite' });
      assert.match(await wall.refused('registration', 'invite', '--reason', 'боты'), /уже только по приглашениям/);
      assert.equal((await register()).status, 400);
      const { codes } = await wall.json('invite', '--count', '2', '--reason', 'соседям');
      assert.equal(codes.length, 2);
      assert.equal((await register(codes[0])).status, 201);
      assert.match(await wall.done('invites'), /^(\S+, \S+ +не использовано +соседям\n?){2}$/);
      assert.deepEqual(await wall.json('registration', 'open', '--reason', 'боты ушли'), { mode: 'open' });
    });

    test('log lists every action with operator, time and reason, and escapes terminal control characters', async () => {
      const hostile = 'кр\u001b[31mасный\u202e\nдве\u2028строки';
      await wall.person('anna_five');
      await wall.done('close-sessions', 'anna_five', '--as', 'Аня\u001b]0;a\u0007', '--reason', hostile);
      const { actions } = await wall.json('log', '--limit', '1');
      const [{ at, operator, action, target, details }] = actions;
      assert.deepEqual([operator, action, target], ['Аня\\u001b]0;a\\u0007', 'close-sessions', 'anna_five']);
      assert.ok(Math.abs(at - now()) < 60);
      assert.equal(details.sessions, 0);
      const printed = await wall.done('log', '--limit', '1');
      assert.match(printed, /кр\[31mасный ⏎ две\\u2028строки$/);
      for (const output of [printed, await wall.done('log', '--json')]) assert.doesNotMatch(output, unruly);
      const all = (await wall.json('log', '--limit', '1000')).actions.map((entry: { action: string }) => entry.action);
      for (const name of ['remove', 'dismiss', 'registration', 'invite']) {
        assert.ok(all.includes(name), name);
      }
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
    await using fresh = await freshPlace(engine);
    const { code, output, errors } = await runAdmin(fresh.place, 'stats');
    assert.deepEqual([code, output], [1, '']);
    assert.match(errors, /^Стены здесь ещё нет[^\n]+\n$/);
    assert.deepEqual(await readdir(fresh.place.dataDir), []);
    assert.match((await runAdmin(fresh.place, 'stats')).errors, /^Стены здесь ещё нет/);
  });
}

test('help lists every command and needs no wall', async () => {
  const { code, output } = await runAdmin({ databaseUrl: undefined, dataDir: '/nowhere' }, 'help');
  assert.equal(code, 0);
  for (const name of [
    'reports',
    'remove',
    'restore',
    'dismiss',
    'block',
    'unblock',
    'pin',
    'unpin',
    'appoint',
    'dismiss-moderator',
    'close-sessions',
    'registration',
    'invite',
    'invites',
    'log',
    'stats',
  ]) {
    assert.match(output, new RegExp(`^  ${name} .*[а-я]`, 'mu'));
  }
});

test('reports an unreachable database in one line without the password', async () => {
  const place = { databaseUrl: 'postgres://wall:hidden-word@127.0.0.1:1/wall', dataDir: '/nowhere' };
  const { code, errors } = await runAdmin(place, 'stats');
  assert.equal(code, 1);
  assert.match(errors, /^База данных не отвечает: [^\n]*127\.0\.0\.1:1[^\n]*\n$/);
  assert.doesNotMatch(errors, /hidden-word/);
});
