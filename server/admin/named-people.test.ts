import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../test/engines.ts';
import { type Member, outcome, register } from '../../test/member.ts';
import { openWall } from '../../test/wall.ts';
import { readConfig } from '../config.ts';
import { carryOut } from './carry-out.ts';
import { commands } from './commands.ts';
import { type Given, readArguments } from './read-arguments.ts';
import { Refusal } from './refusal.ts';

const day = 24 * 3_600;
const rename = (member: Member, username: string) => member.send('PATCH', '/users/current/profile', { username });

for (const engine of engines) {
  test(`people are found by a name they left, their number or a post of theirs on ${engine}`, async (t) => {
    const wall = await openWall(engine);
    t.after(wall.close);
    const order = (...args: string[]): Promise<string> =>
      carryOut(wall.db, readConfig({}), readArguments([...args, '--reason', 'реклама'], commands) as Given);
    const blocked = async (): Promise<string[]> => {
      const rows = await wall.db.read.selectFrom('users').select('id').where('blocked_at', 'is not', null).execute();
      return rows.map(({ id }) => String(id));
    };
    const unblock = () => order('unblock', 'spammer_five');

    wall.clock.now = Math.floor(Date.now() / 1_000);
    const [spammer, anna] = [await register(wall), await register(wall)];
    const post = (await spammer.send('POST', '/posts', { text: 'казино' })).json().id;
    for (const name of ['spammer_one', 'spammer_two', 'spammer_five']) {
      assert.deepEqual(await outcome(rename(spammer, name)), [200]);
    }
    assert.equal((await order('block', 'spammer_five')).split('\n').length, 1);
    await unblock();
    for (const name of [spammer.username, 'spammer_one', 'Spammer_Two']) {
      assert.equal(
        await order('block', name),
        `Имя ${name} оставлено, теперь это spammer_five.\nУчётная запись spammer_five заблокирована. Скрыто записей: 0.`,
      );
      assert.deepEqual(await blocked(), [spammer.id]);
      assert.match(await order('unblock', name), /^Имя \S+ оставлено, теперь это spammer_five\.\nБлокировка снята/);
    }
    for (const target of [`#${spammer.id}`, `post:${post}`]) {
      assert.equal(await order('block', target), 'Учётная запись spammer_five заблокирована. Скрыто записей: 0.');
      await unblock();
    }
    await order('hide', post);
    await order('block', `post:${post}`);
    await unblock();
    assert.match(await order('close-sessions', 'spammer_one'), /теперь это spammer_five\.\nspammer_five: завершено/);

    // A name that somebody else has by now is theirs.
    const longAgo = wall.clock.now - 31 * day;
    await wall.db.tx(({ db }) => db.updateTable('left_usernames').set({ left_at: longAgo }).execute());
    assert.deepEqual(await outcome(rename(anna, 'spammer_one')), [200]);
    assert.match(await order('block', 'spammer_one'), /^Учётная запись spammer_one заблокирована/);
    assert.deepEqual(await blocked(), [anna.id]);

    const refused: Array<[string, string]> = [
      ['spammer_two', 'Пользователя spammer_two нет.'],
      ['#999', 'Пользователя #999 нет.'],
      ['#x', 'Пользователя #x нет.'],
      ['post:999', 'Записи 999 нет.'],
      ['post:x', 'Номер записи должен быть числом, как в её адресе, а не «x».'],
    ];
    for (const [target, message] of refused) await assert.rejects(order('block', target), new Refusal(message));
  });
}
