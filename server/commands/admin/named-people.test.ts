import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admin as adminOf } from '../../../test/kit/admin.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { CommandError } from './command-error.ts';

const day = 24 * 3_600;
const rename = (member: Member, username: string) => member.send('PATCH', '/users/current/profile', { username });

for (const engine of engines) {
  test(`finds people by a former name, by id or by one of their posts on ${engine}`, async () => {
    await using wall = await openWall(engine);
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
    await admin('remove', post);
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
}
