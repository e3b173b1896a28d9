import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReportedPost } from '#contract/moderation.ts';
import { journal, registerModerator } from '../../../../test/kit/desk.ts';
import { engines } from '../../../../test/kit/engines.ts';
import { type Member, outcome, publish, register } from '../../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../../test/kit/wall.ts';
import { recount } from '../../../commands/verify-data/recount.ts';

const spam = { reason: 'Реклама или спам' };

const report = (by: Member, { id }: { id: string }, reason = 'spam') =>
  by.send('POST', `/posts/${id}/reports?reason_id=${reason}`);

const queueOf = async (moderator: Member, query = ''): Promise<ReportedPost[]> => {
  const response = await moderator.send('GET', `/moderation/reports?limit=50${query}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json().reports;
};

const idsOf = (queue: ReportedPost[]): string[] => queue.map(({ post_id: id }) => id);

async function setUp(wall: Wall) {
  const people = [await register(wall), await register(wall), await register(wall)] as const;
  return { moderator: await registerModerator(wall), other: await registerModerator(wall), people };
}

for (const engine of engines) {
  describe(`the queue of the desk on ${engine}`, () => {
    test('shows reported posts as they were reported and as they are, the longest waiting first', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const { moderator, people } = await setUp(wall);
      const [anna, boris, clara] = people;
      const first = await publish(anna, 'первая');
      const second = await publish(anna, 'вторая');
      const reply = await publish(boris, 'ответ', `/posts/${first.id}/replies`);
      await report(boris, first);
      await report(clara, second);
      await report(clara, reply);
      await anna.send('PATCH', `/posts/${first.id}`, { text: 'первая, исправленная' });
      await report(clara, first, 'abuse');
      const queue = await queueOf(moderator);
      assert.deepEqual(idsOf(queue), [first.id, second.id, reply.id], 'a new report does not move a post back');
      const [one, , third] = queue;
      assert.deepEqual(
        [one!.text, one!.current_text, one!.state, one!.open],
        ['первая, исправленная', 'первая, исправленная', 'visible', 2],
      );
      assert.deepEqual(
        one!.reports.map(({ by, reason_id, text, open }) => [by, reason_id, text, open]),
        [
          [clara.username, 'abuse', 'первая, исправленная', true],
          [boris.username, 'spam', 'первая', true],
        ],
      );
      assert.deepEqual(third!.replied_post, {
        id: first.id,
        text: 'первая, исправленная',
        owner: { id: anna.id, username: anna.username, display_name: null },
      });
      assert.deepEqual([third!.parent_post_id, one!.parent_post_id], [first.id, null]);
      assert.deepEqual(third!.author, {
        id: boris.id,
        username: boris.username,
        display_name: null,
        is_blocked: false,
      });
      await anna.send('PATCH', `/posts/${second.id}`, { text: 'другая' });
      await boris.send('DELETE', `/posts/${reply.id}`);
      assert.deepEqual(
        (await queueOf(moderator)).map(({ state, text, current_text: now }) => [state, text, now]),
        [
          ['visible', 'первая, исправленная', 'первая, исправленная'],
          ['changed', 'вторая', 'другая'],
          ['deleted', 'ответ', null],
        ],
      );
      const response = (await moderator.send('GET', '/moderation/reports?limit=1')).json();
      assert.deepEqual([response.open, response.reports.length, typeof response.next], [3, 1, 'string']);
    });

    test('what is settled is counted and listed apart, until somebody reports it again', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const { moderator, people } = await setUp(wall);
      const [anna, boris, clara] = people;
      const [first, second] = [await publish(anna, 'первая'), await publish(anna, 'вторая')];
      await report(boris, first);
      await report(boris, second);
      const settledNow = async () => {
        const { settled } = (await moderator.send('GET', '/moderation/reports')).json();
        return [settled, idsOf(await queueOf(moderator, '&state=settled'))];
      };
      assert.deepEqual(await settledNow(), [0, []]);
      await moderator.send('POST', `/moderation/posts/${first.id}/dismissal`, spam);
      await moderator.send('POST', `/moderation/posts/${second.id}/removal`, spam);
      assert.deepEqual(await settledNow(), [2, [second.id, first.id]]);
      await report(clara, first);
      assert.deepEqual(await settledNow(), [1, [second.id]]);
    });

    test('a cursor reaches every post once while posts are settled and reported', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const { moderator, people } = await setUp(wall);
      const [anna, boris, clara] = people;
      const posts: Array<{ id: string }> = [];
      for (let i = 0; i < 7; i += 1) posts.push(await publish(anna, `запись ${i}`));
      for (const post of posts) await report(boris, post);
      const walk = async (state: string, between: () => Promise<unknown>) => {
        const seen: string[] = [];
        for (let cursor = ''; ;) {
          const path = `/moderation/reports?state=${state}&limit=2${cursor}`;
          const { reports, next } = (await moderator.send('GET', path)).json();
          seen.push(...idsOf(reports));
          if (next === null) return seen;
          cursor = `&cursor=${next}`;
          await between();
        }
      };
      const ids = posts.map(({ id }) => id);
      assert.deepEqual(await walk('open', () => report(clara, posts[0]!)), ids);
      assert.deepEqual(
        await walk('open', () => moderator.send('POST', `/moderation/posts/${ids[1]}/dismissal`, spam)),
        ids,
      );
      assert.deepEqual(idsOf(await queueOf(moderator)), [ids[0], ...ids.slice(2)]);
      assert.deepEqual(await walk('all', async () => {}), [ids[0], ...ids.slice(1).toReversed()]);
      assert.deepEqual(await outcome(moderator.send('GET', '/moderation/reports?cursor=x')), [400, 'INVALID_REQUEST']);
    });

    test('an act is in the journal once, with who did it, however often it is sent and by how many', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const { moderator, other, people } = await setUp(wall);
      const [anna, boris, clara] = people;
      const [one, two] = [await publish(anna, 'первая'), await publish(anna, 'вторая')];
      for (const post of [one, two]) for (const by of [boris, clara]) await report(by, post);
      const both = async (path: string) => {
        const sent = [moderator, other, moderator, other].map((by) => by.send('POST', path, spam));
        const responses = await Promise.all(sent);
        assert.deepEqual(
          responses.map(({ statusCode }) => statusCode),
          [200, 200, 200, 200],
          responses[0]!.body,
        );
        return responses.map((response) => response.json()).filter(({ act_id: id }) => id !== null);
      };
      const removed = await both(`/moderation/posts/${one.id}/removal`);
      assert.deepEqual(
        removed.map(({ settled_reports: settled }) => settled),
        [2],
      );
      assert.equal((await both(`/moderation/posts/${two.id}/dismissal`)).length, 1);
      assert.equal((await both(`/moderation/posts/${one.id}/restoration`)).length, 1);
      const acts = await journal(moderator);
      assert.deepEqual(
        acts.map(({ action, target, reason, undo }) => [action, target, reason, undo]),
        [
          ['remove', one.id, spam.reason, false],
          ['dismiss', two.id, spam.reason, true],
          ['restore', one.id, spam.reason, true],
        ],
      );
      for (const { by, by_id: id } of acts) {
        assert.ok([moderator, other].some((member) => member.id === id && member.username === by));
      }
      assert.deepEqual(await queueOf(moderator), []);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
      const { reason } = (await anna.send('GET', '/posts/removed')).json().posts[0] ?? { reason: undefined };
      assert.equal(reason, undefined);
    });

    test('a moderator decides nothing about own posts', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const { moderator, other, people } = await setUp(wall);
      const post = await publish(moderator, 'моя');
      await report(people[0], post);
      const act = (by: Member, what: string) => outcome(by.send('POST', `/moderation/posts/${post.id}/${what}`, spam));
      assert.deepEqual(await act(moderator, 'removal'), [403, 'FORBIDDEN']);
      assert.deepEqual(await act(moderator, 'dismissal'), [403, 'FORBIDDEN']);
      assert.deepEqual(await journal(moderator), []);
      assert.deepEqual(await act(other, 'removal'), [200]);
      assert.deepEqual(await act(moderator, 'restoration'), [403, 'FORBIDDEN']);
      const [removal] = await journal(other);
      const undo = `/moderation/journal/${removal!.id}/undo`;
      assert.deepEqual(await outcome(moderator.send('POST', undo, spam)), [403, 'FORBIDDEN']);
      assert.deepEqual(await outcome(other.send('POST', undo, spam)), [200]);
      assert.deepEqual(await act(other, 'dismissal'), [200]);
      const dismissal = (await journal(other)).at(-1)!;
      const undoDismissal = `/moderation/journal/${dismissal.id}/undo`;
      assert.deepEqual(await outcome(moderator.send('POST', undoDismissal, spam)), [403, 'FORBIDDEN']);
    });

    test('shows reports of a moderator’s own post without the names of the reporters', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const { moderator, other, people } = await setUp(wall);
      const [anna, boris] = people;
      const post = await publish(moderator, 'моя');
      await report(anna, post, 'abuse');
      await report(boris, post);
      const shownTo = async (viewer: Member, query = '') => {
        const [shown] = await queueOf(viewer, query);
        return shown!.reports.map(({ by, reason_id: reason }) => [by, reason]);
      };
      const nameless = [
        [null, 'spam'],
        [null, 'abuse'],
      ];
      assert.deepEqual(await shownTo(moderator), nameless);
      assert.deepEqual(await shownTo(other), [
        [boris.username, 'spam'],
        [anna.username, 'abuse'],
      ]);
      assert.equal((await other.send('POST', `/moderation/posts/${post.id}/dismissal`, spam)).statusCode, 200);
      assert.deepEqual(await shownTo(moderator, '&state=all'), nameless);
      const shown = (await moderator.send('GET', '/moderation/journal')).body;
      for (const { username } of [anna, boris]) assert.ok(!shown.includes(username), 'in the journal');
    });

    test('refuses reasons and posts that do not exist', async () => {
      await using wall = await openWall(engine);
      const { moderator, people } = await setUp(wall);
      const post = await publish(people[0], 'запись');
      const remove = (id: string, reason: string) =>
        outcome(moderator.send('POST', `/moderation/posts/${id}/removal`, { reason }));
      assert.deepEqual(await remove('999', 'спам'), [404, 'NOT_FOUND']);
      assert.deepEqual(await remove('x', 'спам'), [404, 'NOT_FOUND']);
      for (const reason of ['', ' \u200b ', 'я'.repeat(501)]) {
        assert.deepEqual(await remove(post.id, reason), [400, 'INVALID_REQUEST']);
      }
      const dismissal = `/moderation/posts/${post.id}/dismissal`;
      assert.deepEqual(await outcome(moderator.send('POST', dismissal, spam)), [404, 'NOT_FOUND']);
      assert.deepEqual(await journal(moderator), []);
    });
  });
}
