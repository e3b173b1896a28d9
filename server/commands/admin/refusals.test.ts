import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, openFresh } from '../../../test/kit/engines.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { createPost } from '../../features/posts/writes.ts';
import { readConfig } from '../../config.ts';
import { carryOut } from './carry-out.ts';
import { commands } from './commands.ts';
import { type CommandLine, readArguments } from './read-arguments.ts';
import { CommandError } from './command-error.ts';

const cases: Array<[line: RegExp, ...args: string[]]> = [
  [/Нет такой команды: fly/, 'fly'],
  [/нужно указать: ЗАПИСЬ/, 'remove'],
  [/Укажите причину/, 'remove', '1'],
  [/от 1 до 500 символов/, 'remove', '1', '--reason', ' \u200b '],
  [/от 1 до 500 символов/, 'remove', '1', '--reason', 'я'.repeat(501)],
  [/После --reason нужно значение/, 'remove', '1', '--reason'],
  [/Лишнее слово .* и\./, 'remove', '1', 'и', '--reason', 'я'],
  [/Записи 999999 нет/, 'remove', '999999', '--reason', 'я'],
  [/должен быть числом/, 'remove', 'seven', '--reason', 'я'],
  [/не убрана/, 'restore', '1', '--reason', 'я'],
  [/Открытых жалоб на запись 1 нет/, 'dismiss', '1', '--reason', 'я'],
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
  [/Укажите причину/, 'invite'],
  [/--count: нужно целое число/, 'invite', '--count', '0', '--reason', 'я'],
  [/--limit: нужно целое число/, 'reports', '--limit', '1e3'],
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
