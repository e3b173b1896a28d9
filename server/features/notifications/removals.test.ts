import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, publish, register } from '../../../test/kit/member.ts';
import { replyTo } from '../../../test/kit/notified.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';

/** The number on the bell. */
const unread = async (person: Member): Promise<number> => (await person.send('GET', '/events')).json().unread;

const removals = async (person: Member): Promise<Array<[id: string, reason: string, isNew: boolean]>> =>
  (await person.send('GET', '/posts/removed'))
    .json()
    .posts.map(({ id, reason, is_new: isNew }: { id: string; reason: string; is_new: boolean }) => [id, reason, isNew]);

const see = (person: Member, id: string) =>
  outcome(person.send('PUT', '/users/current/notifications/read', { up_to: id }));

async function remove(wall: Wall, by: Member, id: string): Promise<string> {
  wall.clock.now += 1;
  const response = await by.send('POST', `/moderation/posts/${id}/removal`, { reason: 'Не по правилам стены' });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().act_id;
}

for (const engine of engines) {
  describe(`a removal by a moderator on ${engine}`, () => {
    test('is a notification of the author, with the reason, until they have seen it', async () => {
      await using wall = await openWall(engine);
      const [anna, boris, moderator] = [await register(wall), await register(wall), await registerModerator(wall)];
      const { id: first } = await publish(anna, 'Продам гараж');
      const { id: second } = await publish(anna, 'Продам два гаража');
      const { id: third } = await publish(anna, 'Останется');
      await replyTo(boris, third);
      await remove(wall, moderator, first);
      await remove(wall, moderator, second);
      assert.equal(await unread(anna), 3);
      assert.equal(await unread(boris), 0);
      assert.deepEqual(await removals(anna), [
        [second, 'Не по правилам стены', true],
        [first, 'Не по правилам стены', true],
      ]);
      assert.deepEqual(await see(boris, first), [404, 'NOT_FOUND']);
      assert.deepEqual(await see(anna, first), [204]);
      assert.deepEqual(await unread(anna), 2, 'the later one and the reply');
      assert.deepEqual(await see(anna, second), [204]);
      assert.equal(await unread(anna), 1);
      assert.ok((await removals(anna)).every(([, , isNew]) => !isNew));
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('is no news any more when it is undone or the author deletes the post, before or afterwards', async () => {
      await using wall = await openWall(engine);
      const [anna, moderator] = [await register(wall), await registerModerator(wall)];
      const { id: undone } = await publish(anna, 'Уберут по ошибке');
      const actId = await remove(wall, moderator, undone);
      assert.equal(await unread(anna), 1);
      await moderator.send('POST', `/moderation/journal/${actId}/undo`, { reason: 'Ошибка' });
      assert.equal(await unread(anna), 0);
      await remove(wall, moderator, undone);
      assert.equal(await unread(anna), 1, 'a second removal is another one');
      assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${undone}`)), [204]);
      assert.equal(await unread(anna), 0);
      assert.deepEqual(await see(anna, undone), [404, 'NOT_FOUND']);

      const { id: gone } = await publish(anna, 'Удалю сама');
      await anna.send('DELETE', `/posts/${gone}`);
      const late = moderator.send('POST', `/moderation/posts/${gone}/removal`, { reason: 'Поздно' });
      assert.deepEqual(await outcome(late), [404, 'NOT_FOUND']);
      assert.equal(await unread(anna), 0);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });
  });
}
