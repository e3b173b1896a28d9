import assert from 'node:assert/strict';
import type { ReportedPost } from '#contract/moderation.ts';
import { journal, registerModerator } from '../../../../test/kit/desk.ts';
import { type Member, outcome, publish, register } from '../../../../test/kit/member.ts';
import { type Wall } from '../../../../test/kit/wall.ts';
import { onWalls } from '../../../../test/kit/on-walls.ts';

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

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'the queue of the desk');

onWall('shows reported posts as they were reported and as they are, the longest waiting first', async (wall) => {
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
  const now = 'первая, исправленная';
  assert.deepEqual([one!.text, one!.current_text, one!.state, one!.open], [now, now, 'visible', 2]);
  const reports = one!.reports.map(({ by, reason_id: why, text, open }) => [by, why, text, open]);
  assert.deepEqual(reports, [
    [clara.username, 'abuse', now, true],
    [boris.username, 'spam', 'первая', true],
  ]);
  const personOf = ({ id, username }: Member) => ({ id, username, display_name: null, face: null });
  assert.deepEqual(third!.replied_post, { id: first.id, text: now, owner: personOf(anna) });
  assert.deepEqual([third!.parent_post_id, one!.parent_post_id], [first.id, null]);
  assert.deepEqual(third!.author, { ...personOf(boris), is_blocked: false });
  await anna.send('PATCH', `/posts/${second.id}`, { text: 'другая' });
  await boris.send('DELETE', `/posts/${reply.id}`);
  const later = (await queueOf(moderator)).map(({ state, text, current_text: current }) => [state, text, current]);
  assert.deepEqual(later, [
    ['visible', now, now],
    ['changed', 'вторая', 'другая'],
    ['deleted', 'ответ', null],
  ]);
  const response = (await moderator.send('GET', '/moderation/reports?limit=1')).json();
  assert.deepEqual([response.open, response.reports.length, typeof response.next], [3, 1, 'string']);
});

onWall('what is settled is counted and listed apart, until somebody reports it again', async (wall) => {
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

onWall('a cursor reaches every post once while posts are settled and reported', async (wall) => {
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
  const dismiss = () => moderator.send('POST', `/moderation/posts/${ids[1]}/dismissal`, spam);
  assert.deepEqual(await walk('open', dismiss), ids);
  assert.deepEqual(idsOf(await queueOf(moderator)), [ids[0], ...ids.slice(2)]);
  assert.deepEqual(await walk('all', async () => {}), [ids[0], ...ids.slice(1).toReversed()]);
  assert.deepEqual(await outcome(moderator.send('GET', '/moderation/reports?cursor=x')), [400, 'INVALID_REQUEST']);
});

onWall('a moderator decides nothing about own posts', async (wall) => {
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

onWall('shows reports of a moderator’s own post without the names of the reporters', async (wall) => {
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

onWalls({}, 'the queue of the desk')('refuses reasons and posts that do not exist', async (wall) => {
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
  const headers = { authorization: `Bearer ${moderator.token}`, 'content-type': 'application/json' };
  const url = `/api/v1/moderation/posts/${post.id}/approval`;
  const approved = await wall.app.inject({ method: 'POST', url, headers, payload: 'null' });
  assert.equal(approved.statusCode, 404, 'a call without a body that is sent null');
  assert.deepEqual(await journal(moderator), []);
});
