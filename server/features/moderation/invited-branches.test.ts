import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { confirm, journal } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import {
  admits,
  branchOf,
  bring,
  codeOf,
  letIn,
  make,
  own,
  registerModeratorIn,
  settled,
} from '../../../test/kit/invitations.ts';
import { deleteAccount, outcome } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`invitations of members on ${engine}`, () => {
    test('whose branch may not invite makes none, and its links admit nobody until that is undone', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const moderator = await registerModeratorIn(wall);
      const anna = await settled(wall);
      const boris = await bring(wall, anna);
      const [vera, other] = [await bring(wall, boris), await settled(wall)];
      const codes = [await codeOf(anna), await codeOf(vera)];
      const right = (method: 'PUT' | 'DELETE') =>
        moderator.send(method, `/moderation/people/${anna.username}/inviting`, { reason: 'приводит ботов' });
      const ended = await right('DELETE');
      assert.equal(ended.statusCode, 200, ended.body);
      assert.equal((await right('DELETE')).json().act_id, null);
      for (const code of codes) assert.equal(await admits(wall, code), false);
      for (const member of [anna, boris, vera]) {
        assert.match((await own(member)).refused!, /больше не приглашаете/);
        assert.equal((await make(member)).statusCode, 403);
      }
      assert.equal((await make(other)).statusCode, 201);
      assert.deepEqual(
        await Promise.all([anna, vera, other].map(async (who) => (await branchOf(moderator, who)).may_invite)),
        ['no', 'branch', 'yes'],
      );
      const undone = await moderator.send('POST', `/moderation/journal/${ended.json().act_id}/undo`, { reason: 'зря' });
      assert.equal(undone.statusCode, 200, undone.body);
      for (const code of codes) assert.equal(await admits(wall, code), true);
      assert.equal((await right('PUT')).json().act_id, null);
      const acts = (await journal(moderator)).map(({ action, target, undo }) => [action, target, undo]);
      assert.deepEqual(acts, [
        ['end-inviting', anna.username, false],
        ['allow-inviting', anna.username, true],
      ]);
      const keeper = moderator.send('DELETE', `/moderation/people/${moderator.username}/inviting`, { reason: 'x' });
      assert.deepEqual(await outcome(keeper), [403, 'FORBIDDEN']);
    });

    test('a branch is blocked without keepers, a hundred people at once, each to be undone alone', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      await letIn(wall, 'members');
      const moderator = await registerModeratorIn(wall);
      const anna = await settled(wall);
      const boris = await bring(wall, anna);
      const keeper = await bring(wall, boris);
      const vera = await bring(wall, keeper);
      await wall.db.tx(({ db }) =>
        db.updateTable('users').set({ role: 'moderator' }).where('id', '=', Number(keeper.id)).execute(),
      );
      for (let n = 0; n < 101; n += 1) {
        const id = await wall.person(`raid_${n}`);
        await wall.db.tx(({ db }) =>
          db
            .updateTable('users')
            .set({ invited_by: Number(anna.id) })
            .where('id', '=', id)
            .execute(),
        );
      }
      const block = () =>
        moderator.send('POST', `/moderation/people/${anna.username}/branch/block`, {
          reason: 'набег',
          remove_posts: false,
        });
      assert.deepEqual(await outcome(block()), [403, 'CONFIRMATION_REQUIRED']);
      await confirm(wall, moderator);
      const first = await block();
      assert.deepEqual([first.statusCode, first.json()], [200, { blocked: 100, remaining: 3 }], first.body);
      assert.deepEqual((await block()).json(), { blocked: 3, remaining: 0 });
      assert.deepEqual((await block()).json(), { blocked: 0, remaining: 0 });
      const blocked = await wall.db.read.selectFrom('users').select('id').where('blocked_at', 'is not', null).execute();
      assert.equal(blocked.length, 103);
      for (const spared of [keeper, vera]) {
        assert.ok(!blocked.some(({ id }) => String(id) === spared.id), spared.username);
      }
      const { people, more } = await branchOf(moderator, anna);
      assert.deepEqual([people.length, more], [100, true]);
      const acts = await wall.db.read.selectFrom('operator_log').selectAll().where('action', '=', 'block').execute();
      assert.equal(acts.length, 103);
      const { id } = acts.find(({ target_id: target }) => String(target) === boris.id)!;
      const undone = await moderator.send('POST', `/moderation/journal/${id}/undo`, { reason: 'не он' });
      assert.equal(undone.statusCode, 200, undone.body);
      const left = await wall.db.read.selectFrom('users').select('id').where('blocked_at', 'is not', null).execute();
      assert.equal(left.length, 102);
      assert.deepEqual(
        await outcome(
          moderator.send('POST', `/moderation/people/${keeper.username}/branch/block`, {
            reason: 'спор',
            remove_posts: false,
          }),
        ),
        [403, 'FORBIDDEN'],
      );
    });

    test('somebody who has left stays in the tree without a name', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const moderator = await registerModeratorIn(wall);
      const anna = await settled(wall);
      const boris = await bring(wall, anna);
      const vera = await bring(wall, boris);
      await wall.db.tx(({ db }) =>
        db.updateTable('users').set({ created_at: wall.clock.now }).where('id', '=', Number(boris.id)).execute(),
      );
      wall.clock.now += 61;
      await deleteAccount(wall, boris);
      const { people } = await branchOf(moderator, anna);
      assert.deepEqual(
        people.map(({ username, level, by }) => [username, level, by]),
        [
          [null, 1, anna.username],
          [vera.username, 2, null],
        ],
      );
      assert.deepEqual((await branchOf(moderator, vera)).inviter, { username: null, display_name: null });
    });
  });
}
