import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeToken, programWith } from '../../../test/kit/api-token.ts';
import { journal, registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

const warn = (by: Member, { username }: { username: string }, reason = 'Оскорбления и травля') =>
  by.send('POST', `/moderation/people/${username}/warning`, { reason });
const warningOf = async (person: Member): Promise<string | undefined> =>
  (await person.send('GET', '/users/current')).json().warning;
const read = (person: Member) => outcome(person.send('DELETE', '/users/current/warning'));
const undo = async (by: Member, id: string): Promise<string | null> => {
  const response = await by.send('POST', `/moderation/journal/${id}/undo`, { reason: 'Ошибка' });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().act_id;
};

for (const engine of engines) {
  describe(`a warning on ${engine}`, () => {
    test('is read once by its person, which the journal says, and can be undone until then', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
      const { act_id: first } = (await warn(moderator, anna)).json();
      assert.equal((await warn(moderator, anna, 'Ещё раз')).json().act_id, null, 'the first one is not read yet');
      assert.equal(await warningOf(anna), 'Оскорбления и травля');
      assert.equal(await warningOf(boris), undefined);
      const { warning } = (await moderator.send('GET', `/moderation/people/${anna.username}`)).json();
      assert.equal(warning, 'Оскорбления и травля');
      assert.notEqual(await undo(moderator, first), null);
      assert.equal(await undo(moderator, first), null);
      assert.equal(await warningOf(anna), undefined);

      const { act_id: second } = (await warn(moderator, anna, 'Реклама')).json();
      assert.equal(await warningOf(anna), 'Реклама');
      const program = programWith(wall, (await makeToken(wall, anna, { scope: 'write' })).token);
      assert.equal((await program('DELETE', '/users/current/warning')).statusCode, 403, 'a program does not read');
      assert.deepEqual(await read(boris), [204]);
      assert.deepEqual([await read(anna), await read(anna)], [[204], [204]]);
      assert.equal(await warningOf(anna), undefined);
      assert.equal(await undo(moderator, second), null);
      assert.deepEqual(
        (await journal(moderator)).map(({ action, by, target, undo: may }) => [action, by, target, may]),
        [
          ['warn', moderator.username, anna.username, false],
          ['unwarn', moderator.username, anna.username, false],
          ['warn', moderator.username, anna.username, false],
          ['read-warning', anna.username, anna.username, false],
        ],
      );
    });

    test('needs somebody else who is there, and beside its undo it is read or undone', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, anna] = [await registerModerator(wall), await register(wall)];
      assert.deepEqual(await outcome(warn(moderator, moderator)), [403, 'FORBIDDEN']);
      assert.deepEqual(await outcome(warn(moderator, { username: 'nobody_here' })), [404, 'NOT_FOUND']);
      for (let round = 0; round < 10; round += 1) {
        const { act_id: id } = (await warn(moderator, anna, `раз ${round}`)).json();
        await Promise.all([read(anna), undo(moderator, id)]);
        assert.equal(await warningOf(anna), undefined);
      }
      const ends = (await journal(moderator)).filter(({ action }) => action !== 'warn');
      assert.equal(ends.length, 10);
    });
  });
}
