import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminRun, runAdmin } from '../../test/admin-process.ts';
import { engines, type FreshPlace, freshPlace } from '../../test/engines.ts';
import { readEvents } from '../../test/event-reader.ts';
import { type ServerProcess, startServer } from '../../test/server-process.ts';
import { createUser } from '../account/store.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { createPost, createReply, likePost, takePost } from '../posts/writes.ts';
import { addReport } from '../reports/store.ts';
import { makeSecrets } from '../secrets.ts';
import { issueToken } from '../sessions/rules.ts';
import { openSession } from '../sessions/store.ts';
import { recount } from '../verify-data/recount.ts';

const seenWithinMs = 1_000;
const SECRET = 'one secret for all the processes of a test';
const now = (): number => Math.floor(Date.now() / 1_000);
/** Anything but the line breaks of ours. */
const unruly = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

for (const engine of engines) {
  describe(`the operator’s commands beside a running server on ${engine}`, () => {
    let fresh: FreshPlace;
    let server: ServerProcess;
    let db: Database;
    before(async () => {
      fresh = await freshPlace(engine);
      server = await startServer(fresh.place, { SECRET, LOG_LEVEL: 'error' });
      db = await openDatabase(fresh.place, () => {});
    });
    after(async () => {
      await db.close();
      await server.stop();
      await fresh.remove();
    });

    const admin = (...args: string[]): Promise<AdminRun> => runAdmin(fresh.place, ...args);

    async function done(...args: string[]): Promise<string> {
      const { code, output, errors } = await admin(...args);
      assert.deepEqual([code, errors], [0, ''], args.join(' '));
      return output;
    }

    const json = async (...args: string[]) => JSON.parse(await done(...args, '--json'));

    async function refused(...args: string[]): Promise<string> {
      const { code, output, errors } = await admin(...args);
      assert.deepEqual([code, output], [1, ''], args.join(' '));
      assert.match(errors, /^[^\n]+\n$/, args.join(' '));
      assert.doesNotMatch(errors, unruly);
      return errors;
    }

    const person = (username: string): Promise<number> =>
      db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now: now() }));

    const post = (userId: number, text: string): Promise<number> =>
      db.tx((tx) => createPost(tx, { userId, text, now: now() }));

    const report = (userId: number, id: number, reasonId: string): Promise<void> =>
      db.tx(async (tx) => addReport(tx, { post: (await takePost(tx, id))!, userId, reasonId, now: now() }));

    /** A bearer header for somebody who has just signed in. */
    async function signIn(userId: number): Promise<{ authorization: string }> {
      const session = { userId, cookieHash: `of ${userId}`, clientToken: 'a', device: '{}', now: now() };
      const id = await db.tx((tx) => openSession(tx, session));
      return { authorization: `Bearer ${issueToken(makeSecrets(SECRET), id, now() + 600).token}` };
    }

    const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${server.address}${path}`, { headers });

    /** How long it takes until the server shows it. */
    async function seen(holds: () => Promise<boolean>): Promise<number> {
      const began = performance.now();
      while (!(await holds())) {
        assert.ok(performance.now() - began < seenWithinMs, 'not seen in time');
        await sleep(10);
      }
      return Math.round(performance.now() - began);
    }

    test('what is hidden and restored is seen by the server and its open streams within a second', async (t) => {
      const [anna, boris] = [await person('anna_one'), await person('boris_one')];
      const id = await post(anna, 'казино');
      await db.tx((tx) => createReply(tx, id, { userId: boris, text: 'ответ', now: now() }));
      await db.tx((tx) => likePost(tx, { postId: id, userId: boris, now: now() }));
      const feed = async () => ((await (await ask('/api/v1/posts')).json()) as { posts: Array<{ id: string }> }).posts;
      const inFeed = async () => (await feed()).some((shown) => shown.id === String(id));
      await seen(inFeed);
      const stream = await readEvents(`${server.address}/api/v1/events`);
      t.after(stream.close);

      assert.equal(
        await done('hide', String(id), '--reason', 'Реклама казино'),
        `Запись ${id} скрыта. Закрыто жалоб: 0.\n`,
      );
      const told = performance.now();
      const gone = await seen(async () => !(await inFeed()) && (await ask(`/posts/${id}`)).status === 404);
      await stream.until((heard) => heard.some(({ changes }) => changes.deleted.includes(String(id))));
      const heard = Math.round(performance.now() - told);
      assert.ok(heard < seenWithinMs);
      assert.match(await refused('hide', String(id), '--reason', 'ещё раз'), /уже скрыта/);

      assert.equal(await done('restore', String(id), '--reason', 'ошиблись'), `Запись ${id} снова на стене.\n`);
      const back = await seen(inFeed);
      const { actions } = (await (await ask(`/api/v1/posts/${id}`)).json()) as {
        actions: { likes_count: number; replies_count: number };
      };
      assert.deepEqual([actions.likes_count, actions.replies_count], [1, 1]);
      assert.match(await refused('restore', String(id), '--reason', 'ещё раз'), /не скрыта/);
      assert.deepEqual(await Array.fromAsync(recount(db.read)), []);
      t.diagnostic(`gone after ${gone} ms, told to streams after ${heard} ms, back after ${back} ms`);
    });

    test('a blocked person is out at once, with all they wrote, and comes back with exactly that', async (t) => {
      const anna = await person('anna_two');
      const ids: number[] = [];
      for (let i = 0; i < 120; i += 1) ids.push(await post(anna, `реклама ${i}`));
      await done('hide', String(ids[0]), '--reason', 'первая');
      const headers = await signIn(anna);
      assert.equal((await ask('/api/v1/users/current', headers)).status, 200);

      assert.deepEqual(await json('block', 'Anna_Two', '--reason', 'Рекламный робот'), {
        user: 'anna_two',
        blocked: true,
        hidden_posts: 0,
      });
      const out = await seen(async () => (await ask('/api/v1/users/current', headers)).status === 403);
      t.diagnostic(`out after ${out} ms`);
      assert.deepEqual(await (await ask('/api/v1/users/current', headers)).json(), {
        code: 'ACCOUNT_BLOCKED',
        message: 'Учётная запись заблокирована. Причина: Рекламный робот',
      });
      assert.match(await refused('block', 'anna_two', '--reason', 'снова'), /уже в блокировке/);

      const total = async () => ((await (await ask(`/api/v1/posts?userId=${anna}`)).json()) as { total: number }).total;
      const hidden = await json('block', 'anna_two', '--hide-posts', '--reason', 'и написанное');
      assert.equal(hidden.hidden_posts, 119);
      await seen(async () => (await total()) === 0);
      const restored = await json('unblock', 'anna_two', '--restore-posts', '--reason', 'не робот');
      assert.deepEqual(restored, { user: 'anna_two', blocked: false, restored_posts: 119 });
      await seen(async () => (await total()) === 119);
      assert.equal((await ask('/api/v1/users/current', headers)).status, 401);
      assert.match(await refused('unblock', 'anna_two', '--reason', 'снова'), /не в блокировке/);

      await done('block', 'anna_two', '--hide-posts', '--reason', 'опять');
      assert.match(await done('unblock', 'anna_two', '--reason', 'пусть пишет'), /Возвращено записей: 0/);
      await done('block', 'anna_two', '--reason', 'в третий раз');
      assert.equal((await json('unblock', 'anna_two', '--restore-posts', '--reason', 'и это')).restored_posts, 0);
      assert.deepEqual(await Array.fromAsync(recount(db.read)), []);
    });

    test('reports tell what was reported, by whom and what became of it', async () => {
      const [anna, boris, clara] = [
        await person('anna_three'),
        await person('boris_three'),
        await person('clara_three'),
      ];
      const [one, two] = [await post(anna, 'первая\nв две строки'), await post(anna, 'вторая')];
      await report(boris, one, 'spam');
      await report(clara, one, 'abuse');
      await report(boris, two, 'fraud');
      const { posts } = await json('reports', '--open');
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

      assert.equal(await done('dismiss', String(two), '--reason', 'не мошенничество'), 'Закрыто жалоб: 1.\n');
      assert.match(await refused('dismiss', String(two), '--reason', 'ещё раз'), /Открытых жалоб на запись \d+ нет/);
      assert.match(await done('hide', String(one), '--reason', 'спам'), /Закрыто жалоб: 2\./);
      assert.equal(await done('reports', '--open'), 'Жалоб нет.\n');
      const text = await done('reports', '--limit', '1');
      assert.match(
        text,
        new RegExp(
          `^Запись ${two} · anna_three · на стене · жалоб открыто 0 из 1\n  │ вторая\n  \\S+, \\S+  boris_three: Мошенничество \\(закрыта\\)\n$`,
        ),
      );
    });

    test('sessions are closed', async () => {
      const headers = await signIn(await person('anna_four'));
      assert.equal(
        await done('close-sessions', 'anna_four', '--reason', 'украли телефон'),
        'anna_four: завершено сеансов: 1.\n',
      );
      await seen(async () => (await ask('/api/v1/users/current', headers)).status === 401);
    });

    test('registration is closed to all but the invited', async () => {
      const register = (invite?: string) =>
        fetch(`${server.address}/api/v1/registrations`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            email: 'new@example.org',
            clientToken: 'a',
            device: { userAgent: 'a', userAgentVersion: '1', os: 'a' },
            ...(invite && { invite }),
          }),
        });
      assert.equal(await done('registration'), 'Регистрация открыта для всех.\n');
      assert.deepEqual(await json('registration', 'invite', '--reason', 'боты'), { mode: 'invite' });
      assert.match(await refused('registration', 'invite', '--reason', 'боты'), /уже только по приглашениям/);
      assert.equal((await register()).status, 400);
      const { codes } = await json('invite', '--count', '2', '--reason', 'соседям');
      assert.equal(codes.length, 2);
      assert.equal((await register(codes[0])).status, 201);
      assert.match(await done('invites'), /^(\S+, \S+ +не использовано +соседям\n){2}$/);
      assert.deepEqual(await json('registration', 'open', '--reason', 'боты ушли'), { mode: 'open' });
    });

    test('every action is in the log with who, when and why; nothing there moves the terminal', async () => {
      const hostile = 'кр\u001b[31mасный\u202e\nдве\u2028строки';
      await person('anna_five');
      await done('close-sessions', 'anna_five', '--as', 'Аня\u001b]0;a\u0007', '--reason', hostile);
      const { actions } = await json('log', '--limit', '1');
      const [{ at, operator, action, target, details }] = actions;
      assert.deepEqual([operator, action, target], ['Аня\\u001b]0;a\\u0007', 'close-sessions', 'anna_five']);
      assert.ok(Math.abs(at - now()) < 60);
      assert.equal(details.sessions, 0);
      const shown = await done('log', '--limit', '1');
      assert.match(shown, /кр\[31mасный ⏎ две\\u2028строки\n$/);
      for (const output of [shown, await done('log', '--json')]) assert.doesNotMatch(output, unruly);
      const all = (await json('log', '--limit', '1000')).actions.map((done: { action: string }) => done.action);
      for (const name of [
        'hide',
        'restore',
        'dismiss',
        'block',
        'hide-posts',
        'unblock',
        'restore-posts',
        'registration',
        'invite',
      ]) {
        assert.ok(all.includes(name), name);
      }
    });

    test('the wall in numbers', async () => {
      const earlier = await json('stats');
      const anna = await person('anna_six');
      await post(anna, 'ещё одна');
      await signIn(anna);
      const numbers = await json('stats');
      for (const name of ['people', 'new_in_a_day', 'new_in_a_week', 'posts', 'sessions']) {
        assert.equal(numbers[name], earlier[name] + 1, name);
      }
      for (const name of ['replies', 'likes', 'hidden_posts', 'blocked', 'open_reports']) {
        assert.equal(numbers[name], earlier[name], name);
      }
      assert.match(await done('stats'), new RegExp(`^Людей +${numbers.people}\n`));
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
