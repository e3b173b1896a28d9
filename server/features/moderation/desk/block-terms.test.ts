import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeToken, programWith } from '../../../../test/kit/api-token.ts';
import { confirm, journal, registerModerator } from '../../../../test/kit/desk.ts';
import { engines } from '../../../../test/kit/engines.ts';
import { type Member, outcome, publish, register, renew } from '../../../../test/kit/member.ts';
import { runJobs } from '../../../../test/kit/run-jobs.ts';
import { openBrowser } from '../../../../test/kit/sign-in.ts';
import { openWall } from '../../../../test/kit/wall.ts';

const day = 24 * 3_600;
const reason = 'Реклама или спам';
const settings = { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' };

async function block(by: Member, { username }: Member, days?: number, removePosts = false): Promise<string> {
  const body = { reason, remove_posts: removePosts, ...(days !== undefined && { days }) };
  const response = await by.send('POST', `/moderation/people/${username}/block`, body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json().act_id;
}

const undo = (by: Member, id: string) =>
  outcome(by.send('POST', `/moderation/journal/${id}/undo`, { reason: 'Ошибка' }));

for (const engine of engines) {
  describe(`a block for a term on ${engine}`, () => {
    test('refuses sessions, tokens and sign-ins until its second has come, and then nothing, without a job', async () => {
      await using wall = await openWall(engine, settings);
      const [moderator, anna] = [await registerModerator(wall), await register(wall)];
      const program = programWith(wall, (await makeToken(wall, anna)).token);
      await confirm(wall, moderator);
      assert.deepEqual(
        await outcome(
          moderator.send('POST', `/moderation/people/${anna.username}/block`, { reason, remove_posts: false, days: 3 }),
        ),
        [400, 'INVALID_REQUEST'],
      );
      await block(moderator, anna, 1);
      const until = wall.clock.now + day;
      const { blocked } = (await moderator.send('GET', `/moderation/people/${anna.username}`)).json();
      assert.deepEqual(blocked, { at: wall.clock.now, reason, until });
      const signIn = async () => {
        const browser = openBrowser(wall);
        const { id } = (await browser.start('logins', anna.email)).json();
        return browser.verify('logins', id, await wall.mail.codeTo(anna.email));
      };
      wall.clock.now = until - 1;
      for (const refused of [
        await anna.send('PATCH', '/sessions/current', { clientToken: anna.clientToken }),
        await program('GET', '/users/current'),
      ]) {
        assert.equal(refused.statusCode, 403);
        assert.match(refused.json().message, /^Учётная запись заблокирована\. До .* UTC\. Причина: Реклама или спам$/);
      }
      const refused = await signIn();
      assert.deepEqual([refused.statusCode, refused.json().code], [400, 'ACCOUNT_BLOCKED']);
      assert.match(refused.json().message, /До .* UTC/);
      wall.clock.now = until;
      await renew(anna);
      assert.deepEqual(await outcome(anna.send('GET', '/users/current')), [200]);
      assert.deepEqual(await outcome(program('GET', '/users/current')), [200]);
      assert.equal((await signIn()).statusCode, 200);
    });

    test('is cleared by its job: the search finds the person, and what it removed stays removed', async () => {
      await using wall = await openWall(engine, settings);
      const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
      await publish(anna, 'Продам крокодила');
      const kept = await publish(boris, 'Куплю крокодила');
      await confirm(wall, moderator);
      await block(moderator, anna, 7, true);
      await block(moderator, boris, 7);
      const found = async () => (await moderator.send('GET', '/posts/search?q=крокодил')).json().posts;
      assert.deepEqual(await found(), []);
      wall.clock.now += 7 * day;
      await renew(moderator);
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(
        (await found()).map(({ id }: { id: string }) => id),
        [kept.id],
      );
      assert.equal((await moderator.send('GET', '/moderation/people?state=blocked')).json().people.length, 0);
      // A later block without a term does not end with the former one.
      await confirm(wall, moderator);
      await block(moderator, boris);
      await runJobs(wall.db, wall.clock.now + 100 * day);
      assert.deepEqual(await outcome(boris.send('GET', '/users/current')), [401, 'UNAUTHORIZED']);
      assert.equal((await moderator.send('GET', '/moderation/people?state=blocked')).json().people.length, 1);
    });

    test('is undone in the journal, also its end by a moderator, which keeps the term', async () => {
      await using wall = await openWall(engine, settings);
      const [moderator, anna] = [await registerModerator(wall), await register(wall)];
      await confirm(wall, moderator);
      const first = await block(moderator, anna, 30);
      const until = wall.clock.now + 30 * day;
      assert.deepEqual(await undo(moderator, first), [200]);
      const entries = await journal(moderator);
      assert.deepEqual(
        entries.map(({ action, undo: may }) => [action, may]),
        [
          ['block', false],
          ['unblock', true],
        ],
      );
      assert.deepEqual(await undo(moderator, entries[1]!.id), [200]);
      const { blocked } = (await moderator.send('GET', `/moderation/people/${anna.username}`)).json();
      assert.deepEqual([blocked.reason, blocked.until], [reason, until]);
      wall.clock.now = until;
      await renew(moderator);
      assert.deepEqual(
        (await journal(moderator)).map(({ undo: may }) => may),
        [false, false, false],
      );
    });
  });
}
