import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { confirm } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import {
  admits,
  branchOf,
  codeOf,
  come,
  day,
  letIn,
  make,
  own,
  registerModeratorIn,
  settle,
  settled,
} from '../../../test/kit/invitations.ts';
import { deleteAccount, outcome, register } from '../../../test/kit/member.ts';
import { device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`invitations of members on ${engine}`, () => {
    test('are for those who have been here long enough and have written, and say what is missing', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const anna = await register(wall);
      const refused = async () => {
        const { left, refused: why, next_at: at } = await own(anna);
        assert.equal(left, 0);
        assert.deepEqual(await outcome(make(anna)), [403, 'FORBIDDEN']);
        assert.equal((await make(anna)).json().message, why);
        return [why, at] as const;
      };
      assert.match((await refused())[0]!, /может каждый/);
      await letIn(wall, 'invite');
      assert.match((await refused())[0]!, /те, кто её ведёт/);
      await letIn(wall, 'closed');
      assert.match((await refused())[0]!, /не заводят/);
      await letIn(wall, 'members');
      const rule = 'Приглашают те, кто на стене не меньше 14 дн. и у кого записей не меньше 5.';
      const since = wall.clock.now + 14 * day;
      const both = `${rule} Вам осталось подождать дней: 14 и написать записей: 5.`;
      assert.deepEqual(await refused(), [both, since]);
      await settle(wall, anna, 14, 4);
      assert.deepEqual(await refused(), [`${rule} Вам осталось написать записей: 1.`, null]);
      await settle(wall, anna, 13, 5);
      assert.deepEqual(await refused(), [`${rule} Вам осталось подождать дней: 1.`, wall.clock.now + day]);
      await settle(wall, anna);
      assert.deepEqual(await own(anna), { invitations: [], left: 3, refused: null, next_at: null });
    });

    test('are in the export of the person who has made them, with who came', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const anna = await settled(wall);
      const boris = await come(wall, await codeOf(anna));
      await anna.send('DELETE', `/users/current/invitations/${(await make(anna)).json().invitations[0].id}`);
      await make(anna);
      const line = { created_at: wall.clock.now, is_open: false, used_at: null, used_by: null };
      assert.deepEqual((await anna.send('GET', '/users/current/export')).json().invitations, [
        { ...line, used_at: wall.clock.now, used_by: boris.username },
        line,
        { ...line, is_open: true },
      ]);
      assert.deepEqual((await boris.send('GET', '/users/current/export')).json().invitations, []);
    });

    test('are three a month, exactly, however many are asked for at once', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const anna = await settled(wall);
      const statuses = (await Promise.all(Array.from({ length: 20 }, () => make(anna)))).map((made) => made.statusCode);
      assert.equal(statuses.filter((status) => status === 201).length, 3);
      assert.equal(statuses.filter((status) => status === 403).length, 17);
      const { invitations, left, next_at: at, refused } = await own(anna);
      assert.deepEqual([invitations.length, left, at], [3, 0, wall.clock.now + 30 * day]);
      assert.match(refused!, /в месяц их 3\. Следующая — через 30 дн\./);
      assert.equal(new Set(invitations.map(({ code }) => code)).size, 3);
      // One that is ended has been made all the same.
      const ended = await anna.send('DELETE', `/users/current/invitations/${invitations[0]!.id}`);
      assert.deepEqual([ended.statusCode, ended.json().invitations.length, ended.json().left], [200, 2, 0]);
      const moderator = await registerModeratorIn(wall);
      for (let n = 0; n < 5; n += 1) assert.equal((await make(moderator)).statusCode, 201);
      assert.equal((await own(moderator)).left, null);
      await wall.db.tx((tx) =>
        tx.db
          .updateTable('invites')
          .set({ created_at: wall.clock.now - 30 * day })
          .execute(),
      );
      assert.equal((await own(anna)).left, 3);
    });

    test('a repeated request makes one link', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const anna = await settled(wall);
      const again = () => anna.send('POST', '/users/current/invitations', undefined, { 'idempotency-key': 'k' });
      for (const { statusCode } of [await again(), await again()]) assert.equal(statusCode, 201);
      assert.equal((await own(anna)).left, 2);
    });

    test('admit one person, who is recorded with the inviter; their codes can be read again', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      await letIn(wall, 'members');
      const [anna, other] = [await settled(wall), await settled(wall)];
      const moderator = await registerModeratorIn(wall);
      const code = await codeOf(anna);
      const [open] = (await own(anna)).invitations;
      assert.deepEqual([open!.code, open!.is_open, open!.used_by], [code, true, null]);
      assert.ok(open!.url.endsWith(`/join/${code}`), open!.url);
      assert.ok(!JSON.stringify(await wall.db.read.selectFrom('invites').selectAll().execute()).includes(code));
      assert.match((await wall.get(`/join/${code}`)).text, new RegExp(`Приглашает.*${anna.username}`));
      const boris = await come(wall, code);
      assert.equal(await admits(wall, code), false);
      const [used] = (await own(anna)).invitations;
      assert.deepEqual([used!.is_open, used!.used_by], [false, boris.username]);
      assert.deepEqual((await branchOf(moderator, boris)).inviter, { username: anna.username, display_name: null });
      const gone = anna.send('DELETE', `/users/current/invitations/${used!.id}`);
      assert.deepEqual(await outcome(gone), [404, 'NOT_FOUND']);

      const second = await codeOf(anna);
      const { id } = (await own(anna)).invitations[0]!;
      const foreign = other.send('DELETE', `/users/current/invitations/${id}`);
      assert.deepEqual(await outcome(foreign), [404, 'NOT_FOUND']);
      assert.equal(await admits(wall, second), true);
      await anna.send('DELETE', `/users/current/invitations/${id}`);
      assert.equal(await admits(wall, second), false);
    });

    test('work as the mode says and while their maker is there; those of keepers in all modes but the last', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      await letIn(wall, 'members');
      const anna = await settled(wall);
      const moderator = await registerModeratorIn(wall);
      const [code, keepers] = [await codeOf(anna), await codeOf(moderator)];
      const made = await moderator.send('POST', '/moderation/invites', { count: 1, seats: 9, reason: 'двор' });
      const sheet = made.json().codes[0] as string;
      const admitted = async () => [await admits(wall, code), await admits(wall, keepers), await admits(wall, sheet)];
      assert.deepEqual(await admitted(), [true, true, true]);
      await letIn(wall, 'invite');
      assert.deepEqual(await admitted(), [false, true, true]);
      await letIn(wall, 'closed');
      assert.deepEqual(await admitted(), [false, false, false]);
      const start = (invite?: string) =>
        openBrowser(wall).send('POST', '/registrations', {
          email: newAddress(),
          clientToken: 'x',
          device,
          ...(invite && { invite }),
        });
      for (const answer of [await start(), await start(sheet)]) assert.match(answer.json().message, /не заводят/);
      await letIn(wall, 'members');
      assert.match((await start()).json().message, /участник стены/);
      await confirm(wall, moderator);
      const path = `/moderation/people/${anna.username}`;
      await moderator.send('POST', `${path}/block`, { reason: 'спам', remove_posts: false });
      assert.deepEqual(await admitted(), [false, true, true]);
      await moderator.send('POST', `${path}/unblock`, { reason: 'ошибка', restore_posts: false });
      assert.deepEqual(await admitted(), [true, true, true]);
      const again = openBrowser(wall);
      await again.enter('logins', anna.email);
      await deleteAccount(wall, Object.assign(again, { ...anna, ...again }));
      assert.deepEqual(await admitted(), [false, true, true]);
    });
  });
}
