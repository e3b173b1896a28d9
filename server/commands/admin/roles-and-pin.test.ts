import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admin as adminOf } from '../../../test/kit/admin.ts';
import { engines } from '../../../test/kit/engines.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { CommandError } from './command-error.ts';
import { commands } from './commands.ts';
import { readArguments } from './read-arguments.ts';

for (const engine of engines) {
  test(`appoints and dismisses moderators, pins and unpins a post, each once in the journal, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const admin = (...args: string[]) => adminOf(wall.db, ...args, '--reason', 'так');
    const anna = await register(wall);
    const { username } = anna;
    const role = async () => (await anna.send('GET', '/users/current')).json().role;
    const { id } = await publish(anna, 'объявление');
    const reply = await publish(anna, 'ответ', `/posts/${id}/replies`);
    const pinned = async () => (await wall.get('/api/v1/posts')).json.pinned?.id;
    const refuses = (message: RegExp, ...args: string[]) =>
      assert.rejects(admin(...args), (error) => error instanceof CommandError && message.test(error.message));

    assert.equal(await admin('appoint', username), `${username} теперь модератор.`);
    assert.equal(await role(), 'moderator');
    await anna.send('PUT', '/moderation/pin', { post_id: id, until: null, reason: 'важно' });
    const log = await adminOf(wall.db, 'log');
    assert.match(log, new RegExp(`^\\S+, \\S+  ${username} \\(модератор\\)  +pin  +${id} +важно$`, 'm'));
    assert.equal(await admin('unpin'), 'Запись откреплена.');
    await refuses(/уже модератор/, 'appoint', username);
    assert.equal(await admin('dismiss-moderator', username), `${username} больше не модератор.`);
    assert.equal(await role(), undefined);
    await refuses(/не модератор/, 'dismiss-moderator', username);

    await refuses(/Закреплённой записи нет/, 'unpin');
    await refuses(/Записи 999 нет/, 'pin', '999');
    await refuses(/— ответ/, 'pin', reply.id);
    await refuses(/нужна дата/, 'pin', id, '--until', 'завтра');
    await refuses(/нужна дата/, 'pin', id, '--until', '2026-13-01');
    await refuses(/уже прошло/, 'pin', id, '--until', '2020-01-01');
    assert.match(await admin('pin', id, '--until', '2099-12-31'), /^Запись \d+ закреплена до 01\.01\.2100, 00:00\.$/);
    assert.equal(await pinned(), id);
    await refuses(/уже закреплена/, 'pin', id, '--until', '2099-12-31');
    assert.equal(await admin('pin', id), `Запись ${id} закреплена.`);
    assert.equal(await admin('unpin'), 'Запись откреплена.');
    assert.equal(await pinned(), undefined);
    const entries = await wall.db.read.selectFrom('operator_log').select(['action', 'target']).orderBy('id').execute();
    assert.deepEqual(
      entries.map(({ action, target }) => [action, target]),
      [
        ['appoint', username],
        ['pin', id],
        ['unpin', id],
        ['dismiss-moderator', username],
        ['pin', id],
        ['pin', id],
        ['unpin', id],
      ],
    );
  });

  test(`appoints owners, and dismisses all but the last one, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const admin = (...args: string[]) => adminOf(wall.db, ...args, '--reason', 'так');
    const [anna, boris] = [await register(wall), await register(wall)];
    const refuses = (message: RegExp, ...args: string[]) =>
      assert.rejects(admin(...args), (error) => error instanceof CommandError && message.test(error.message));

    assert.equal(await admin('appoint', anna.username, '--owner'), `${anna.username} теперь владелец стены.`);
    assert.equal((await anna.send('GET', '/users/current')).json().role, 'owner');
    await refuses(/уже владелец/, 'appoint', anna.username, '--owner');
    await refuses(/последний владелец/, 'dismiss-moderator', anna.username);
    await admin('appoint', boris.username);
    await admin('appoint', boris.username, '--owner');
    assert.equal(await admin('dismiss-moderator', anna.username), `${anna.username} больше не модератор.`);
    assert.throws(() => readArguments(['unpin', '--owner'], commands), /не знает --owner/);
  });
}
