import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { runAdmin } from '../../test/admin-process.ts';
import { engines, freshPlace } from '../../test/engines.ts';
import { now, serveWall, type ServedWall, unruly } from '../../test/served-wall.ts';
import { takePost } from '../posts/writes.ts';
import { addReport } from '../reports/store.ts';

for (const engine of engines) {
  describe(`the operator’s commands on ${engine}`, () => {
    let wall: ServedWall;
    before(async () => {
      wall = await serveWall(engine);
    });
    after(() => wall.close());

    const report = (userId: number, id: number, reasonId: string): Promise<void> =>
      wall.db.tx(async (tx) => addReport(tx, { post: (await takePost(tx, id))!, userId, reasonId, now: now() }));

    test('reports tell what was reported, by whom and what became of it', async () => {
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
        posts.map((shown: Record<string, unknown>) => [shown['id'], shown['author'], shown['state'], shown['open']]),
        [
          [String(two), 'anna_three', 'visible', 1],
          [String(one), 'anna_three', 'visible', 2],
        ],
      );
      const [newest] = posts[1].reports;
      assert.deepEqual(
        { ...newest, at: 0 },
        { by: 'clara_three', at: 0, reason_id: 'abuse', text: 'первая\nв две строки', open: true },
      );
      assert.ok(Math.abs(newest.at - now()) < 60);

      assert.equal(await wall.done('dismiss', String(two), '--reason', 'не мошенничество'), 'Закрыто жалоб: 1.\n');
      assert.match(
        await wall.refused('dismiss', String(two), '--reason', 'ещё раз'),
        /Открытых жалоб на запись \d+ нет/,
      );
      assert.match(await wall.done('hide', String(one), '--reason', 'спам'), /Закрыто жалоб: 2\./);
      assert.equal(await wall.done('reports', '--open'), 'Жалоб нет.\n');
      const text = await wall.done('reports', '--limit', '1');
      assert.match(
        text,
        new RegExp(
          `^Запись ${two} · anna_three · на стене · жалоб открыто 0 из 1\n  │ вторая\n  \\S+, \\S+  boris_three: Мошенничество \\(закрыта\\)\n$`,
        ),
      );
    });

    test('sessions are closed', async () => {
      const headers = await wall.signIn(await wall.person('anna_four'));
      assert.equal(
        await wall.done('close-sessions', 'anna_four', '--reason', 'украли телефон'),
        'anna_four: завершено сеансов: 1.\n',
      );
      await wall.seen(async () => (await wall.ask('/api/v1/users/current', headers)).status === 401);
    });

    test('registration is closed to all but the invited', async () => {
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
      assert.equal(await wall.done('registration'), 'Регистрация открыта для всех.\n');
      assert.deepEqual(await wall.json('registration', 'invite', '--reason', 'боты'), { mode: 'invite' });
      assert.match(await wall.refused('registration', 'invite', '--reason', 'боты'), /уже только по приглашениям/);
      assert.equal((await register()).status, 400);
      const { codes } = await wall.json('invite', '--count', '2', '--reason', 'соседям');
      assert.equal(codes.length, 2);
      assert.equal((await register(codes[0])).status, 201);
      assert.match(await wall.done('invites'), /^(\S+, \S+ +не использовано +соседям\n){2}$/);
      assert.deepEqual(await wall.json('registration', 'open', '--reason', 'боты ушли'), { mode: 'open' });
    });

    test('every action is in the log with who, when and why; nothing there moves the terminal', async () => {
      const hostile = 'кр\u001b[31mасный\u202e\nдве\u2028строки';
      await wall.person('anna_five');
      await wall.done('close-sessions', 'anna_five', '--as', 'Аня\u001b]0;a\u0007', '--reason', hostile);
      const { actions } = await wall.json('log', '--limit', '1');
      const [{ at, operator, action, target, details }] = actions;
      assert.deepEqual([operator, action, target], ['Аня\\u001b]0;a\\u0007', 'close-sessions', 'anna_five']);
      assert.ok(Math.abs(at - now()) < 60);
      assert.equal(details.sessions, 0);
      const shown = await wall.done('log', '--limit', '1');
      assert.match(shown, /кр\[31mасный ⏎ две\\u2028строки\n$/);
      for (const output of [shown, await wall.done('log', '--json')]) assert.doesNotMatch(output, unruly);
      const all = (await wall.json('log', '--limit', '1000')).actions.map((done: { action: string }) => done.action);
      for (const name of ['hide', 'dismiss', 'registration', 'invite']) {
        assert.ok(all.includes(name), name);
      }
    });

    test('the wall in numbers', async () => {
      const earlier = await wall.json('stats');
      const anna = await wall.person('anna_six');
      await wall.post(anna, 'ещё одна');
      await wall.signIn(anna);
      const numbers = await wall.json('stats');
      for (const name of ['people', 'new_in_a_day', 'new_in_a_week', 'posts', 'sessions']) {
        assert.equal(numbers[name], earlier[name] + 1, name);
      }
      for (const name of ['replies', 'likes', 'hidden_posts', 'blocked', 'open_reports']) {
        assert.equal(numbers[name], earlier[name], name);
      }
      assert.match(await wall.done('stats'), new RegExp(`^Людей +${numbers.people}\n`));
    });
  });

  test(`where there is no wall on ${engine}, none is made`, async (t) => {
    const { place, remove } = await freshPlace(engine);
    t.after(remove);
    const { code, output, errors } = await runAdmin(place, 'stats');
    assert.deepEqual([code, output], [1, '']);
    assert.match(errors, /^Стены здесь ещё нет[^\n]+\n$/);
    assert.deepEqual(await readdir(place.dataDir), []);
    assert.match((await runAdmin(place, 'stats')).errors, /^Стены здесь ещё нет/);
  });
}

test('help needs no wall and tells of every command', async () => {
  const { code, output } = await runAdmin({ databaseUrl: undefined, dataDir: '/nowhere' }, 'help');
  assert.equal(code, 0);
  for (const name of [
    'reports',
    'hide',
    'restore',
    'dismiss',
    'block',
    'unblock',
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

test('a database out of reach is one line, without the password', async () => {
  const place = { databaseUrl: 'postgres://wall:hidden-word@127.0.0.1:1/wall', dataDir: '/nowhere' };
  const { code, errors } = await runAdmin(place, 'stats');
  assert.equal(code, 1);
  assert.match(errors, /^База данных не отвечает: [^\n]*127\.0\.0\.1:1[^\n]*\n$/);
  assert.doesNotMatch(errors, /hidden-word/);
});
