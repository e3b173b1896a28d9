import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, openFresh } from '../../../test/kit/engines.ts';
import { createPost } from '../../features/posts/post-writes.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { readConfig } from '../../config.ts';
import { carryOut, commands } from './commands.ts';
import { type CommandLine, readArguments } from './read-arguments.ts';
import { CommandError } from './terminal.ts';
import { admin as adminOf } from '../../../test/kit/admin.ts';
import { type Member, outcome, register } from '../../../test/kit/member.ts';
import { removePost } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';

const cases: Array<[line: RegExp, ...args: string[]]> = [
  [/Нет такой команды: fly/, 'fly'],
  [/нужно указать: ИМЯ/, 'block'],
  [/Укажите причину/, 'block', 'anna_'],
  [/от 1 до 500 символов/, 'block', 'anna_', '--reason', ' \u200b '],
  [/от 1 до 500 символов/, 'block', 'anna_', '--reason', 'я'.repeat(501)],
  [/После --reason нужно значение/, 'block', 'anna_', '--reason'],
  [/Лишнее слово .* и\./, 'block', 'anna_', 'и', '--reason', 'я'],
  [/Записи 999999 нет/, 'block', 'post:999999', '--reason', 'я'],
  [/должен быть числом/, 'block', 'post:seven', '--reason', 'я'],
  [/Пользователя nobody_here нет/, 'block', 'nobody_here', '--reason', 'я'],
  [/Пользователя \\u001b\[2Jx нет/, 'block', '\u001b[2Jx', '--reason', 'я'],
  [/--as: нужно имя/, 'block', 'anna_', '--reason', 'я', '--as', ''],
  [/block не знает --restore-posts/, 'block', 'anna_', '--restore-posts', '--reason', 'я'],
  [/--remove-posts пишется без значения/, 'block', 'anna_', '--remove-posts=yes', '--reason', 'я'],
  [/anna_ не в блокировке/, 'unblock', 'anna_', '--restore-posts', '--reason', 'я'],
  [/Пользователя x нет/, 'close-sessions', 'x', '--reason', 'я'],
  [/бывает open, members, invite, closed/, 'registration', 'never', '--reason', 'я'],
  [/уже открыта/, 'registration', 'open', '--reason', 'я'],
  [/Укажите причину/, 'registration', 'invite'],
  [/--limit: нужно целое число/, 'log', '--limit', '1e3'],
  [/не адрес почты: b@c/, 'change-email', 'anna_', 'b@c', '--reason', 'я'],
  [/адрес уже занят/, 'change-email', 'anna_', 'a@example.org', '--reason', 'я'],
  [/После команды change-email нужно указать: ИМЯ АДРЕС/, 'change-email', 'anna_', '--reason', 'я'],
  [/stats не знает --reason/, 'stats', '--reason', 'я'],
];

for (const engine of engines) {
  test(`rejects invalid arguments and unknown targets with a one-line error on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const userId = await fresh.db.tx((tx) => createUser(tx, { username: 'anna_', email: 'a@example.org', now: 1 }));
    await fresh.db.tx((tx) => createPost(tx, { userId, text: 'запись', now: 1 }));
    const config = readConfig({ SECRET: 'a secret that only this test has' });
    for (const [line, ...args] of cases) {
      const attempt = async () => carryOut(fresh.db, config, readArguments(args, commands) as CommandLine);
      await assert.rejects(attempt, (error) => {
        assert.ok(error instanceof CommandError, `${args.join(' ')}: ${String(error)}`);
        assert.match(error.message, line);
        assert.doesNotMatch(error.message, /[\u0000-\u001f]/);
        return true;
      });
    }
    assert.deepEqual(await fresh.db.read.selectFrom('operator_log').selectAll().execute(), []);
    assert.equal((await fresh.db.read.selectFrom('posts').selectAll().execute()).length, 1);
  });
}

const day = 24 * 3_600;
const rename = (member: Member, username: string) => member.send('PATCH', '/users/current/profile', { username });

onWalls()('finds people by a former name, by id or by one of their posts', async (wall) => {
  const admin = (...args: string[]) => adminOf(wall.db, ...args, '--reason', 'реклама');
  const blocked = async (): Promise<string[]> => {
    const rows = await wall.db.read.selectFrom('users').select('id').where('blocked_at', 'is not', null).execute();
    return rows.map(({ id }) => String(id));
  };
  const unblock = () => admin('unblock', 'spammer_five');

  wall.clock.now = Math.floor(Date.now() / 1_000);
  const [spammer, anna] = [await register(wall), await register(wall)];
  const post = (await spammer.send('POST', '/posts', { text: 'казино' })).json().id;
  for (const name of ['spammer_one', 'spammer_two', 'spammer_five']) {
    assert.deepEqual(await outcome(rename(spammer, name)), [200]);
  }
  assert.equal((await admin('block', 'spammer_five')).split('\n').length, 1);
  await unblock();
  for (const name of [spammer.username, 'spammer_one', 'Spammer_Two']) {
    assert.equal(
      await admin('block', name),
      `Имя ${name} оставлено, теперь это spammer_five.\nУчётная запись spammer_five заблокирована. Убрано записей: 0.`,
    );
    assert.deepEqual(await blocked(), [spammer.id]);
    assert.match(await admin('unblock', name), /^Имя \S+ оставлено, теперь это spammer_five\.\nБлокировка снята/);
  }
  for (const target of [`#${spammer.id}`, `post:${post}`]) {
    assert.equal(await admin('block', target), 'Учётная запись spammer_five заблокирована. Убрано записей: 0.');
    await unblock();
  }
  await removePost(wall, post);
  await admin('block', `post:${post}`);
  await unblock();
  assert.match(await admin('close-sessions', 'spammer_one'), /теперь это spammer_five\.\nspammer_five: завершено/);

  // A former name that another person has taken refers to that person.
  const longAgo = wall.clock.now - 31 * day;
  await wall.db.tx(({ db }) => db.updateTable('left_usernames').set({ left_at: longAgo }).execute());
  assert.deepEqual(await outcome(rename(anna, 'spammer_one')), [200]);
  assert.match(await admin('block', 'spammer_one'), /^Учётная запись spammer_one заблокирована/);
  assert.deepEqual(await blocked(), [anna.id]);

  const refused: Array<[string, string]> = [
    ['spammer_two', 'Пользователя spammer_two нет.'],
    ['#999', 'Пользователя #999 нет.'],
    ['#x', 'Пользователя #x нет.'],
    ['post:999', 'Записи 999 нет.'],
    ['post:x', 'Номер записи должен быть числом, как в её адресе, а не «x».'],
  ];
  for (const [target, message] of refused) await assert.rejects(admin('block', target), new CommandError(message));
});

onWalls()('says what it did to roles and until when a block lasts, or why not', async (wall) => {
  const admin = (...args: string[]) => adminOf(wall.db, ...args, '--reason', 'так');
  const refuses = (message: RegExp, ...args: string[]) =>
    assert.rejects(admin(...args), (error) => error instanceof CommandError && message.test(error.message));
  const [anna, boris] = [await register(wall), await register(wall)];
  const { username } = anna;

  assert.equal(await admin('appoint', username), `${username} теперь модератор.`);
  await refuses(/уже модератор/, 'appoint', username);
  const { username: name } = boris;
  for (const date of ['завтра', '2026-13-01']) await refuses(/нужна дата/, 'block', name, '--until', date);
  await refuses(/уже прошло/, 'block', name, '--until', '2020-01-01');
  await admin('block', name, '--until', '2099-12-31');
  const blocked = await wall.db.read.selectFrom('users').select('blocked_until').where('username', '=', name).execute();
  assert.deepEqual(blocked, [{ blocked_until: new Date('2100-01-01T00:00').getTime() / 1_000 }]);
  await admin('unblock', name);

  assert.equal(await admin('dismiss-moderator', username), `${username} больше не модератор.`);
  await refuses(/не модератор/, 'dismiss-moderator', username);
  assert.equal(await admin('appoint', username, '--owner'), `${username} теперь владелец стены.`);
  await refuses(/уже владелец/, 'appoint', username, '--owner');
  await refuses(/последний владелец/, 'dismiss-moderator', username);
  await admin('appoint', boris.username);
  await admin('appoint', boris.username, '--owner');
  assert.equal(await admin('dismiss-moderator', username), `${username} больше не модератор.`);
  assert.throws(() => readArguments(['block', 'x', '--owner'], commands), /не знает --owner/);
});
