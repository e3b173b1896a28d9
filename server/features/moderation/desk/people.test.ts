import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ModeratedPerson } from '#contract/moderation.ts';
import { confirm, journal, registerModerator } from '../../../../test/kit/desk.ts';
import { engines } from '../../../../test/kit/engines.ts';
import {
  deleteAccount,
  type Member,
  outcome,
  publish,
  register,
  renew,
  signInElsewhere,
} from '../../../../test/kit/member.ts';
import { openWall } from '../../../../test/kit/wall.ts';

const spam = 'Реклама или спам';

const block = (by: Member, { username }: { username: string }, removePosts = false) =>
  by.send('POST', `/moderation/people/${username}/block`, { reason: spam, remove_posts: removePosts });

const unblock = (by: Member, { username }: { username: string }) =>
  by.send('POST', `/moderation/people/${username}/unblock`, { reason: 'ошибка', restore_posts: true });

const find = async (by: Member, { username }: { username: string }): Promise<ModeratedPerson> =>
  (await by.send('GET', `/moderation/people/${username}`)).json();

for (const engine of engines) {
  describe(`people at the desk on ${engine}`, () => {
    test('a block needs a code of the last 15 minutes in the same session', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      const [moderator, anna] = [await registerModerator(wall), await register(wall)];
      const elsewhere = await signInElsewhere(wall, moderator);
      await renew(moderator);
      const refused = [403, 'CONFIRMATION_REQUIRED'];
      assert.deepEqual(await outcome(block(moderator, anna)), refused);
      const until = await confirm(wall, moderator);
      assert.equal(until, wall.clock.now + 15 * 60);
      assert.deepEqual((await moderator.send('GET', '/moderation/confirmation')).json(), { confirmed_until: until });
      assert.deepEqual((await elsewhere.send('GET', '/moderation/confirmation')).json(), { confirmed_until: null });
      assert.deepEqual(await outcome(block(elsewhere, anna)), refused);
      assert.deepEqual(await outcome(block(moderator, anna)), [200]);
      assert.deepEqual(await outcome(block(moderator, { username: 'nobody_here' })), [404, 'NOT_FOUND']);
      wall.clock.now = until;
      await renew(moderator);
      assert.deepEqual(await outcome(unblock(moderator, anna)), refused);
      assert.equal((await find(moderator, anna)).blocked?.reason, spam);
      await confirm(wall, moderator);
      assert.deepEqual(await outcome(unblock(moderator, anna)), [200]);
      assert.equal((await find(moderator, anna)).blocked, null);
      // A code for something else does not confirm a moderator.
      await renew(elsewhere);
      const { clientToken } = elsewhere;
      const { id } = (await elsewhere.send('POST', '/users/current/deletion', { clientToken })).json();
      const confirmCode = await wall.mail.codeTo(moderator.email);
      const verify = elsewhere.send('POST', `/moderation/confirmation/${id}/verify`, { confirmCode, clientToken });
      assert.deepEqual(await outcome(verify), [400, 'OPERATION_EXPIRED']);
    });

    test('a block signs the person out, also from several moderators at once, and is in the journal once', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, other, anna] = [
        await registerModerator(wall),
        await registerModerator(wall),
        await register(wall),
      ];
      for (const by of [moderator, other]) await confirm(wall, by);
      for (let i = 0; i < 60; i += 1) await publish(anna, `реклама ${i}`);
      const together = async (act: typeof block | typeof unblock) => {
        const responses = await Promise.all([moderator, other, moderator].map((by) => act(by, anna, true)));
        for (const response of responses) assert.equal(response.statusCode, 200, response.body);
        const results = responses.map((response) => response.json());
        const posts = results.reduce((sum: number, { posts: some }) => sum + some, 0);
        return [results.filter(({ act_id: id }) => id !== null).length, posts];
      };
      assert.deepEqual(await together(block), [1, 60]);
      assert.equal((await wall.get('/api/v1/posts')).json.total, 0);
      assert.deepEqual(await outcome(anna.send('GET', '/users/current')), [403, 'ACCOUNT_BLOCKED']);
      const { removed_posts: removed, blocked } = await find(other, anna);
      assert.deepEqual([removed, blocked?.reason], [60, spam]);
      assert.deepEqual(await together(unblock), [1, 60]);
      assert.equal((await wall.get('/api/v1/posts')).json.total, 60);
      const acts = await journal(moderator);
      const of = (name: string) => acts.filter(({ action }) => action === name);
      assert.deepEqual([of('block').length, of('unblock').length], [1, 1]);
      const ids = of('remove-posts').flatMap(({ details }) => details!['posts'] as number[]);
      assert.deepEqual([ids.length, new Set(ids).size], [60, 60]);
    });

    test('moderators can block neither themselves nor each other', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
      await confirm(wall, moderator);
      for (const person of [moderator, other]) {
        for (const act of [block, unblock]) {
          const response = await act(moderator, person);
          assert.deepEqual([response.statusCode, response.json().code], [403, 'FORBIDDEN']);
          assert.match(response.json().message, /только оператор/);
        }
      }
      assert.deepEqual(await journal(moderator), []);
      assert.equal((await find(moderator, other)).role, 'moderator');
    });

    test('lists people by the beginning of the name, the newest first, and the blocked ones', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const moderator = await registerModerator(wall);
      const ids: string[] = [];
      for (const name of ['anna_b', 'Anna_A', 'anna__', 'annab', 'boris_1', 'anna_c1']) {
        ids.push(String(await wall.person(name)));
      }
      const list = async (query: string) => {
        const seen: ModeratedPerson[] = [];
        for (let cursor = ''; ;) {
          const response = await moderator.send('GET', `/moderation/people?limit=2${query}${cursor}`);
          assert.equal(response.statusCode, 200, response.body);
          seen.push(...response.json().people);
          if (response.json().next === null) return seen.map(({ username }) => username);
          cursor = `&cursor=${response.json().next}`;
        }
      };
      const newest = ['anna_c1', 'boris_1', 'annab', 'anna__', 'Anna_A', 'anna_b', moderator.username];
      assert.deepEqual(await list(''), newest);
      assert.deepEqual(await list('&q=ANNA_'), ['anna__', 'Anna_A', 'anna_b', 'anna_c1']);
      assert.deepEqual(await list('&q=zzz'), []);
      await confirm(wall, moderator);
      await block(moderator, { username: 'annab' });
      await block(moderator, { username: 'anna_b' });
      assert.deepEqual(await list('&state=blocked'), ['annab', 'anna_b']);
      assert.deepEqual(await list('&state=blocked&q=anna_'), ['anna_b']);
      assert.deepEqual(await list('&q=%25'), []);
      for (const query of ['q=%00', 'q=', 'cursor=x', 'q=anna_&cursor=%2F']) {
        const response = moderator.send('GET', `/moderation/people?${query}`);
        assert.deepEqual(await outcome(response), [400, 'INVALID_REQUEST'], query);
      }
    });

    test('shows of a person no address, and nothing once the account is deleted', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, anna] = [await registerModerator(wall), await register(wall)];
      const { id } = await publish(anna, 'запись');
      await moderator.send('POST', `/posts/${id}/reports?reason_id=spam`);
      assert.deepEqual(await find(moderator, anna), {
        id: anna.id,
        username: anna.username,
        display_name: null,
        created_at: wall.clock.now,
        posts_count: 1,
        replies_count: 0,
        role: null,
        blocked: null,
        removed_posts: 0,
        open_reports: 1,
        claim_url: null,
        warning: null,
      });
      await deleteAccount(wall, anna);
      assert.deepEqual(await outcome(moderator.send('GET', `/moderation/people/${anna.username}`)), [404, 'NOT_FOUND']);
      const { people } = (await moderator.send('GET', '/moderation/people')).json();
      assert.deepEqual(
        people.map(({ username }: ModeratedPerson) => username),
        [moderator.username],
      );
    });

    test('a role goes with the account', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
      const { id } = await publish(await register(wall), 'запись');
      await moderator.send('POST', `/moderation/posts/${id}/removal`, { reason: spam });
      assert.equal((await moderator.send('GET', '/users/current/export')).json().account.role, 'moderator');
      await deleteAccount(wall, moderator);
      const row = await wall.db.read
        .selectFrom('users')
        .select('role')
        .where('id', '=', Number(moderator.id))
        .execute();
      assert.deepEqual(
        row.map(({ role }) => role),
        [null],
      );
      assert.deepEqual(
        (await journal(other)).map(({ by }) => by),
        [moderator.username],
        'the journal keeps the name',
      );
    });

    test('invitations: a repeated request makes no others, and shows the same codes', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
      const make = (by: Member, key: string, count = 3) =>
        by.send('POST', '/moderation/invites', { count, reason: 'соседям' }, { 'idempotency-key': key });
      const responses = await Promise.all([make(moderator, 'a'), make(moderator, 'a'), make(moderator, 'a')]);
      const [first, ...again] = responses.map((response) => response.json().codes as string[]);
      assert.equal(new Set(first).size, 3);
      for (const code of first!) assert.match(code, /^[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/);
      assert.deepEqual(again, [first, first]);
      for (const count of [1, 5]) {
        assert.deepEqual((await make(moderator, 'a', count)).json().codes, first, 'another number makes no others');
      }
      assert.notDeepEqual((await make(other, 'a')).json().codes, first);
      assert.deepEqual(await outcome(make(moderator, 'b')), [201]);
      assert.deepEqual(
        (await journal(moderator)).map(({ action, details }) => [action, details!['count']]),
        [
          ['invite', 3],
          ['invite', 3],
          ['invite', 3],
        ],
      );
      const page = (await moderator.send('GET', '/moderation/invites?limit=8')).json();
      assert.deepEqual([page.registration, page.invites.length], ['open', 8]);
      const unused = { note: 'соседям', created_at: wall.clock.now, used_at: null, used_by: null };
      const { id: _, ...newest } = page.invites[0];
      assert.deepEqual(newest, { ...unused, seats: 1, used: 0, may_end: true });
      const rest = (await moderator.send('GET', `/moderation/invites?limit=8&cursor=${page.next}`)).json();
      assert.deepEqual([rest.invites.length, rest.next], [1, null]);
      const tooMany = moderator.send('POST', '/moderation/invites', { count: 51, reason: 'соседям' });
      assert.deepEqual(await outcome(tooMany), [400, 'INVALID_REQUEST']);
    });
  });
}
