import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

const mute = (person: Member, id: string) => person.send('PUT', `/users/current/mutes/${id}`);
const unmute = (person: Member, id: string) => person.send('DELETE', `/users/current/mutes/${id}`);
const namesMutedBy = async (person: Member): Promise<string[]> =>
  (await person.send('GET', '/users/current/mutes')).json().users.map(({ username }: { username: string }) => username);

for (const engine of engines) {
  describe(`muted authors on ${engine}`, () => {
    test('are listed, latest first, until they are unmuted; others notice nothing', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
      const before = (await wall.get(`/api/v1/users/${boris.username}`)).text;
      assert.deepEqual(await outcome(mute(anna, boris.id)), [204]);
      wall.clock.now += 1;
      assert.deepEqual(await outcome(mute(anna, vera.id)), [204]);
      assert.deepEqual(await outcome(mute(anna, boris.id)), [204]);
      assert.deepEqual(await namesMutedBy(anna), [vera.username, boris.username]);
      assert.deepEqual(await namesMutedBy(boris), []);
      assert.equal((await wall.get(`/api/v1/users/${boris.username}`)).text, before);
      for (let i = 0; i < 2; i += 1) assert.deepEqual(await outcome(unmute(anna, boris.id)), [204]);
      assert.deepEqual(await namesMutedBy(anna), [vera.username]);
      await deleteAccount(wall, vera);
      assert.deepEqual(await namesMutedBy(anna), []);
    });

    test('are not counted as unread, but stay in the list of notifications', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [anna, boris, vera] = [await register(wall), await register(wall), await register(wall)];
      const { id } = (await anna.send('POST', '/posts', { text: 'запись' })).json();
      for (const author of [boris, vera]) await author.send('POST', `/posts/${id}/replies`, { text: 'ответ' });
      const counts = async () => {
        const { unread, total, posts } = (await anna.send('GET', '/users/current/notifications')).json();
        return [unread, total, posts.length];
      };
      await mute(anna, boris.id);
      assert.deepEqual(await counts(), [1, 2, 2]);
      await boris.send('POST', `/posts/${id}/replies`, { text: 'ещё' });
      assert.deepEqual(await counts(), [1, 2, 2], 'a muted author causes no more notifications');
      assert.equal((await wall.get(`/api/v1/posts/${id}`)).json.actions.replies_count, 3);
      await unmute(anna, boris.id);
      assert.deepEqual(await counts(), [2, 2, 2]);
    });

    test('cannot be oneself, an unknown person or too many', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const anna = await register(wall);
      assert.deepEqual(await outcome(mute(anna, anna.id)), [403, 'FORBIDDEN']);
      for (const id of ['999999', 'current', '-1']) {
        assert.deepEqual(await outcome(mute(anna, id)), [404, 'NOT_FOUND'], id);
      }
      const many = await Promise.all(Array.from({ length: limits.mutes }, (_, i) => wall.person(`person_${i}`)));
      const rows = many.map((muted_id) => ({ user_id: Number(anna.id), muted_id, created_at: 1 }));
      await wall.db.tx((tx) => tx.db.insertInto('mutes').values(rows).execute());
      const response = await mute(anna, (await register(wall)).id);
      assert.equal(response.statusCode, 400);
      assert.match(response.json().message, /^Скрыто уже 1000 авторов/);
      assert.equal((await namesMutedBy(anna)).length, limits.mutes);
      assert.deepEqual(await outcome(mute(anna, String(many[0]))), [204]);
    });
  });
}
