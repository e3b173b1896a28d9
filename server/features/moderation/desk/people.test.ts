import assert from 'node:assert/strict';
import type { ModeratedPerson } from '#contract/moderation-people.ts';
import { confirm, journal, registerModerator } from '../../../../test/kit/desk.ts';
import {
  deleteAccount,
  type Member,
  outcome,
  publish,
  register,
  renew,
  signInElsewhere,
} from '../../../../test/kit/member.ts';
import { onWalls } from '../../../../test/kit/on-walls.ts';

interface Named {
  username: string;
}

const spam = 'Реклама или спам';
const settings = { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' };
const block = (by: Member, { username }: Named, removePosts = false) =>
  by.send('POST', `/moderation/people/${username}/block`, { reason: spam, remove_posts: removePosts });
const unblock = (by: Member, { username }: Named) =>
  by.send('POST', `/moderation/people/${username}/unblock`, { reason: 'ошибка', restore_posts: true });
const warn = (by: Member, { username }: Named, reason = 'Оскорбления и травля') =>
  by.send('POST', `/moderation/people/${username}/warning`, { reason });
const find = async (by: Member, { username }: Named): Promise<ModeratedPerson> =>
  (await by.send('GET', `/moderation/people/${username}`)).json();

const onWall = onWalls(settings, 'people at the desk');

onWall('a block needs a code of the last 15 minutes in the same session', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  const elsewhere = await signInElsewhere(wall, moderator);
  await renew(moderator);
  const refused = [403, 'CONFIRMATION_REQUIRED'];
  assert.deepEqual(await outcome(block(moderator, anna)), refused);
  const until = await confirm(wall, moderator);
  assert.equal(until, wall.clock.now + 15 * 60);
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
});

onWall('a block of several moderators at once signs the person out and is in the journal once', async (wall) => {
  const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
  const anna = await register(wall);
  for (const by of [moderator, other]) await confirm(wall, by);
  for (let i = 0; i < 60; i += 1) await publish(anna, `реклама ${i}`);
  const together = async (act: typeof block) => {
    const responses = await Promise.all([moderator, other, moderator].map((by) => act(by, anna, true)));
    for (const response of responses) assert.equal(response.statusCode, 200, response.body);
    const results = responses.map((response) => response.json());
    const posts = results.reduce((sum: number, { posts: some }) => sum + some, 0);
    return [results.filter(({ act_id: id }) => id !== null).length, posts];
  };
  const total = async () => (await wall.get('/api/v1/posts')).json.total;
  assert.deepEqual([await together(block), await total()], [[1, 60], 0]);
  assert.deepEqual(await outcome(anna.send('GET', '/users/current')), [403, 'ACCOUNT_BLOCKED']);
  const { removed_posts: removed, blocked } = await find(other, anna);
  assert.deepEqual([removed, blocked?.reason], [60, spam]);
  assert.deepEqual([await together(unblock), await total()], [[1, 60], 60]);
  const acts = await journal(moderator);
  const of = (name: string) => acts.filter(({ action }) => action === name);
  assert.deepEqual([of('block').length, of('unblock').length], [1, 1]);
  const ids = of('remove-posts').flatMap(({ details }) => details!['posts'] as number[]);
  assert.deepEqual([ids.length, new Set(ids).size], [60, 60]);
});

onWall('moderators can block neither themselves nor each other, nor an owner', async (wall) => {
  const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
  await confirm(wall, moderator);
  for (const person of [moderator, other, await registerModerator(wall, 'owner')]) {
    for (const act of [block, unblock]) {
      const response = await act(moderator, person);
      assert.deepEqual([response.statusCode, response.json().code], [403, 'FORBIDDEN']);
      assert.match(response.json().message, /только оператор/);
    }
  }
  assert.deepEqual(await journal(moderator), []);
});

onWall('lists people by the beginning of the name, the newest first, and the blocked ones', async (wall) => {
  const moderator = await registerModerator(wall);
  const names = ['anna_b', 'Anna_A', 'anna__', 'annab', 'boris_1', 'anna_c1'];
  for (const name of names) await wall.person(name);
  const list = async (query: string) => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const response = await moderator.send('GET', `/moderation/people?limit=2${query}${cursor}`);
      assert.equal(response.statusCode, 200, response.body);
      seen.push(...response.json().people.map(({ username }: Named) => username));
      if (response.json().next === null) return seen;
      cursor = `&cursor=${response.json().next}`;
    }
  };
  assert.deepEqual(await list(''), [...names.toReversed(), moderator.username]);
  assert.deepEqual(await list('&q=ANNA_'), ['anna__', 'Anna_A', 'anna_b', 'anna_c1']);
  assert.deepEqual(await list('&q=zzz'), []);
  await confirm(wall, moderator);
  for (const username of ['annab', 'anna_b']) await block(moderator, { username });
  assert.deepEqual(await list('&state=blocked'), ['annab', 'anna_b']);
  assert.deepEqual(await list('&state=blocked&q=anna_'), ['anna_b']);
  assert.deepEqual(await list('&q=%25'), []);
  for (const query of ['q=%00', 'q=', 'cursor=x', 'q=anna_&cursor=%2F']) {
    const response = moderator.send('GET', `/moderation/people?${query}`);
    assert.deepEqual(await outcome(response), [400, 'INVALID_REQUEST'], query);
  }
});

onWall('shows of a person no address, and nothing once the account is deleted', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  const { id } = await publish(anna, 'запись');
  await moderator.send('POST', `/posts/${id}/reports?reason_id=spam`);
  const { created_at: createdAt, ...shown } = await find(moderator, anna);
  assert.deepEqual(shown, {
    id: anna.id,
    username: anna.username,
    display_name: null,
    face: null,
    posts_count: 1,
    replies_count: 0,
    role: null,
    blocked: null,
    removed_posts: 0,
    open_reports: 1,
    claim_url: null,
    warning: null,
  });
  assert.equal(createdAt, wall.clock.now);
  await deleteAccount(wall, anna);
  assert.deepEqual(await outcome(moderator.send('GET', `/moderation/people/${anna.username}`)), [404, 'NOT_FOUND']);
  const { people } = (await moderator.send('GET', '/moderation/people')).json();
  assert.deepEqual([people.length, people[0].username], [1, moderator.username]);
});

onWall('a role goes with the account, and the journal keeps the name', async (wall) => {
  const [moderator, other] = [await registerModerator(wall), await registerModerator(wall)];
  const { id } = await publish(await register(wall), 'запись');
  await moderator.send('POST', `/moderation/posts/${id}/removal`, { reason: spam });
  assert.equal((await moderator.send('GET', '/users/current/export')).json().account.role, 'moderator');
  await deleteAccount(wall, moderator);
  const row = wall.db.read.selectFrom('users').select('role').where('id', '=', Number(moderator.id));
  assert.deepEqual(await row.execute(), [{ role: null }]);
  assert.equal((await journal(other))[0]!.by, moderator.username);
});

const warningOf = async (person: Member): Promise<string | undefined> =>
  (await person.send('GET', '/users/current')).json().warning;
const read = (person: Member) => outcome(person.send('DELETE', '/users/current/warning'));
const undo = async (by: Member, id: string): Promise<string | null> => {
  const response = await by.send('POST', `/moderation/journal/${id}/undo`, { reason: 'Ошибка' });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().act_id;
};

onWalls(settings)('a warning is read once by its person, and can be undone until then', async (wall) => {
  const [moderator, anna, boris] = [await registerModerator(wall), await register(wall), await register(wall)];
  const { act_id: first } = (await warn(moderator, anna)).json();
  assert.equal((await warn(moderator, anna, 'Ещё раз')).json().act_id, null, 'the first one is not read yet');
  assert.deepEqual([await warningOf(anna), await warningOf(boris)], ['Оскорбления и травля', undefined]);
  assert.equal((await find(moderator, anna)).warning, 'Оскорбления и травля');
  assert.notEqual(await undo(moderator, first), null);
  assert.equal(await warningOf(anna), undefined);

  const { act_id: second } = (await warn(moderator, anna, 'Реклама')).json();
  assert.deepEqual(await read(boris), [204]);
  assert.equal(await warningOf(anna), 'Реклама');
  assert.deepEqual([await read(anna), await read(anna)], [[204], [204]]);
  assert.equal(await warningOf(anna), undefined);
  assert.equal(await undo(moderator, second), null);
  const acts = (await journal(moderator)).map(({ action, by, target, undo: may }) => [action, by, target, may]);
  const [by, of] = [moderator.username, anna.username];
  assert.deepEqual(acts, [
    ['warn', by, of, false],
    ['unwarn', by, of, false],
    ['warn', by, of, false],
    ['read-warning', of, of, false],
  ]);
});

onWalls(settings)('a warning needs somebody else, and beside its undo it is read or undone', async (wall) => {
  const [moderator, anna] = [await registerModerator(wall), await register(wall)];
  assert.deepEqual(await outcome(warn(moderator, moderator)), [403, 'FORBIDDEN']);
  assert.deepEqual(await outcome(warn(moderator, { username: 'nobody_here' })), [404, 'NOT_FOUND']);
  for (let round = 0; round < 10; round += 1) {
    const { act_id: id } = (await warn(moderator, anna, `раз ${round}`)).json();
    await Promise.all([read(anna), undo(moderator, id)]);
    assert.equal(await warningOf(anna), undefined);
  }
  assert.equal((await journal(moderator)).filter(({ action }) => action !== 'warn').length, 10);
});
