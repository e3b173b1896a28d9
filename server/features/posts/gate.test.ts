import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../demo/random.ts';
import { confirm, journal, registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { approve, closeGate, decideAtOnce, type Held, hold, remove } from '../../../test/kit/gate.ts';
import { deleteAccount, type Member, outcome, publish, register, renew } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import type { Wall } from '../../../test/kit/wall.ts';

const settings = { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: '10000000' };

const onWall = onWalls(settings);

const json = async (by: Member, path: string) => (await by.send('GET', path)).json();
const waitingOf = async (by: Member): Promise<string[]> =>
  (await json(by, '/posts/removed')).pending.map(({ text }: Held) => text);
const atDesk = async (moderator: Member): Promise<string[]> =>
  (await json(moderator, '/moderation/waiting')).posts.map(({ text }: Held) => text);
const feed = async (wall: Wall): Promise<string[]> =>
  (await wall.get('/api/v1/posts')).json.posts.map(({ text }: Held) => text);

/** All that others can read about a post, a discussion and its people. */
async function whatOthersSee(wall: Wall, reader: Member, author: Member, rootId: string): Promise<string[]> {
  const calls = [
    '/posts',
    '/posts/discussed',
    `/posts?userId=${author.id}`,
    `/posts?userId=${author.id}&filter=replies`,
    `/posts/${rootId}`,
    `/posts/${rootId}/thread`,
    `/posts/${rootId}/replies`,
    '/posts/search?q=секрет',
    '/posts/waiting',
    '/posts/removed',
    `/users/${author.username}`,
    '/users/current/notifications',
    '/users/current/following',
    '/users/current/export',
    '/events',
  ];
  const pages = ['/', '/discussed', `/posts/${rootId}`, `/users/${author.username}`, '/feed.xml', '/discussed.xml'];
  const files = [`/users/${author.username}/feed.xml`, '/sitemap.xml', '/sitemap-1.xml', '/sitemap-authors-1.xml'];
  const seen = await Promise.all(calls.map(async (path) => `${path} ${(await reader.send('GET', path)).body}`));
  const shown = await Promise.all([...pages, ...files].map(async (path) => `${path} ${(await wall.get(path)).text}`));
  return [...seen, ...shown];
}

onWall('the gate for newcomers: nobody but the author and moderators sees a post that waits', async (wall) => {
  const [reader, anna] = [await register(wall), await register(wall)];
  const root = await publish(reader, 'корень');
  const owner = await closeGate(wall);
  const before = await whatOthersSee(wall, reader, anna, root.id);
  const own = await hold(anna, `секрет @${reader.username}`);
  assert.deepEqual(own.expires_at, own.created_at + 24 * 3_600);
  const reply = await hold(anna, 'секрет в ответ', `/posts/${root.id}/replies`);
  assert.equal(reply.replied_post_id, root.id);
  assert.deepEqual(await whatOthersSee(wall, reader, anna, root.id), before);
  for (const { id } of [own, reply]) {
    for (const by of [reader, anna]) {
      assert.deepEqual(await outcome(by.send('GET', `/posts/${id}`)), [404, 'NOT_FOUND']);
      assert.deepEqual(await outcome(by.send('POST', `/posts/${id}/likes`)), [404, 'NOT_FOUND']);
      assert.deepEqual(await outcome(by.send('POST', `/posts/${id}/replies`, { text: 'и' })), [404, 'NOT_FOUND']);
    }
    assert.deepEqual(await outcome(reader.send('DELETE', `/posts/${id}`)), [404, 'NOT_FOUND']);
  }
  assert.deepEqual(await waitingOf(anna), ['секрет в ответ', `секрет @${reader.username}`]);
  assert.equal((await json(anna, '/users/current/export')).pending.length, 2);
  assert.deepEqual(await atDesk(owner), [`секрет @${reader.username}`, 'секрет в ответ']);
  assert.deepEqual(await json(owner, '/moderation/reports/count'), { open: 0, pending: 2 });
});

onWall('the gate for newcomers: its author deletes it, also with the account', async (wall) => {
  const [owner, anna] = [await closeGate(wall), await register(wall)];
  const first = await hold(anna, 'первая');
  await hold(anna, 'вторая');
  assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${first.id}`)), [204]);
  assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${first.id}`)), [404, 'NOT_FOUND']);
  assert.deepEqual(await atDesk(owner), ['вторая']);
  await deleteAccount(wall, anna);
  assert.deepEqual(await atDesk(owner), []);
  await runJobs(wall.db, wall.clock.now + 60);
  assert.deepEqual(await wall.db.read.selectFrom('pending_posts').selectAll().execute(), []);
});

onWall(
  'the gate for newcomers: a reply whose discussion was closed meanwhile goes back to its author',
  async (wall) => {
    const [owner, anna] = [await closeGate(wall), await register(wall)];
    const root = await publish(owner, 'корень');
    const path = `/posts/${root.id}/replies`;
    const one = await hold(anna, 'раз', path);
    const two = await hold(anna, 'два', path);
    await owner.send('PUT', `/posts/${root.id}/closure`);
    assert.equal((await approve(owner, two)).json().post_id, null);
    assert.equal((await wall.get(`/api/v1/posts/${root.id}`)).json.actions.thread_count, 0);
    await owner.send('PUT', `/moderation/posts/${root.id}/lock`, { reason: 'Ушли от темы' });
    assert.deepEqual(await outcome(anna.send('POST', path, { text: 'три' })), [403, 'DISCUSSION_CLOSED']);
    assert.equal((await approve(owner, one)).json().post_id, null);
    const { posts } = await json(anna, '/posts/removed');
    assert.match(posts[0].reason, /уже нельзя ответить/);
  },
);

onWall('the gate for newcomers: a call with the same key writes one post, waiting or not', async (wall) => {
  const [owner, anna] = [await closeGate(wall), await register(wall)];
  const send = (key: string) => anna.send('POST', '/posts', { text: 'первая' }, { 'idempotency-key': key });
  const sent = await Promise.all([send('a'), send('a'), send('a')]);
  assert.deepEqual(
    sent.map(({ statusCode, body }) => [statusCode, body]),
    sent.map(() => [202, sent[0].body]),
  );
  assert.equal((await waitingOf(anna)).length, 1);
  const { pending } = sent[0].json();
  const { post_id: id } = (await approve(owner, pending)).json();
  const again = await send('a');
  assert.deepEqual([again.statusCode, again.json().id], [201, id]);
  await anna.send('DELETE', `/posts/${id}`);
  await anna.send('DELETE', `/posts/${(await send('b')).json().pending.id}`);
  assert.deepEqual(await outcome(send('b')), [404, 'NOT_FOUND']);
});

onWall('the gate for newcomers: newcomers use one link and two mentions in a post for three days', async (wall) => {
  const [anna, owner] = [await register(wall), await registerModerator(wall, 'owner')];
  const links = 'https://a.example/1 и https://b.example/2';
  const people = '@anna_one @anna_two @anna_three';
  const refused = await anna.send('POST', '/posts', { text: links });
  assert.deepEqual([refused.statusCode, refused.json().code], [400, 'INVALID_REQUEST']);
  assert.match(refused.json().message, /одна ссылка и два упоминания/);
  assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: people })), [400, 'INVALID_REQUEST']);
  const { id } = await publish(anna, 'https://a.example/1 @anna_one @anna_two #a #b #c https://a.example/1');
  assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${id}`, { text: links })), [400, 'INVALID_REQUEST']);
  await publish(owner, links);
  wall.clock.now += 3 * 86_400;
  await renew(anna);
  await publish(anna, `${links} ${people}`);
});

onWall(
  'the gate for newcomers: a raid reaches nobody, and ends in one act of the desk; each person can be taken back',
  async (wall) => {
    const owner = await closeGate(wall);
    wall.clock.now += 7_200;
    const earlier = await register(wall);
    await hold(earlier, 'я раньше');
    wall.clock.now += 3_601;
    const raiders: Member[] = [];
    for (let i = 0; i < 8; i += 1) raiders.push(await register(wall));
    await Promise.all(raiders.flatMap((by) => Array.from({ length: 5 }, (_, i) => hold(by, `налёт ${i}`))));
    assert.deepEqual(await feed(wall), []);
    const { last_hour: hour } = await json(owner, '/moderation/waiting');
    assert.deepEqual([hour.posts, hour.people], [40, 8]);
    const { since, until } = hour;
    const blockAll = () => owner.send('POST', '/moderation/waiting/blocks', { since, until, reason: 'Реклама' });
    assert.deepEqual(await outcome(blockAll()), [403, 'CONFIRMATION_REQUIRED']);
    await confirm(wall, owner);
    const blocked = await blockAll();
    assert.deepEqual(blocked.json(), { people: 8, posts: 40, left: false }, blocked.body);
    assert.deepEqual(await feed(wall), []);
    assert.deepEqual(await atDesk(owner), ['я раньше']);
    for (const by of raiders) {
      assert.deepEqual(await outcome(by.send('POST', '/posts', { text: 'ещё' })), [403, 'ACCOUNT_BLOCKED']);
    }
    const acts = (await journal(owner)).filter(({ action, undo }) => action === 'block' && undo);
    assert.equal(acts.length, 8);
    const undone = owner.send('POST', `/moderation/journal/${acts[0]!.id}/undo`, { reason: 'Ошибка' });
    assert.deepEqual(await outcome(undone), [200]);
    assert.equal((await feed(wall)).length, 5);
  },
);

for (const engine of engines) {
  test(`of those who decide about a post at the same moment exactly one does, on ${engine}`, async (t) => {
    const { rounds, outcomes, faults } = await decideAtOnce(engine, 100, new Random(5));
    assert.deepEqual(faults, []);
    t.diagnostic(`${rounds} rounds: ${JSON.stringify(outcomes)}`);
  });
}

onWall('what came through the gate keeps its text, however it came to the wall', async (wall) => {
  const owner = await closeGate(wall, 3, 1);
  const anna = await register(wall);
  const [approved, removed, timed] = [await hold(anna, 'раз'), await hold(anna, 'два'), await hold(anna, 'три')];
  const { post_id: id } = (await approve(owner, approved)).json();
  const { act_id: act } = (await remove(owner, removed)).json();
  await owner.send('POST', `/moderation/journal/${act}/undo`, { reason: 'Ошибка' });
  const edit = (postId: string) => anna.send('PATCH', `/posts/${postId}`, { text: 'Купите у меня' });
  for (const each of [id, removed.id]) {
    const refused = await edit(each);
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'FORBIDDEN']);
    assert.match(refused.json().message, /прошла проверку/);
  }
  // Only the author learns before an edit that the post cannot be edited.
  const seen = async (by: Member, postId: string) => (await by.send('GET', `/posts/${postId}`)).json();
  const { may_edit: mayEdit, ...post } = await seen(anna, id);
  assert.equal(mayEdit, false);
  assert.deepEqual(await seen(owner, id), post);
  await anna.send('POST', `/posts/${id}/likes`);
  const liked = await seen(anna, id);
  assert.deepEqual([liked.may_edit, liked.actions.is_liked], [false, true]);
  // A post that its author has deleted and restored cannot be edited either.
  await anna.send('DELETE', `/posts/${id}`);
  await anna.send('POST', `/posts/${id}/restoration`);
  assert.deepEqual(await outcome(edit(id)), [403, 'FORBIDDEN']);
  assert.equal((await journal(owner)).find(({ action }) => action === 'approve')?.post?.text, 'раз');

  wall.clock.now = timed.expires_at;
  // The post appears once, however many processes run the job.
  await Promise.all([runJobs(wall.db, wall.clock.now), runJobs(wall.db, wall.clock.now)]);
  assert.deepEqual((await feed(wall)).toSorted(), ['два', 'раз', 'три']);
  const [shown] = (await wall.get('/api/v1/posts')).json.posts;
  assert.deepEqual([shown.text, await outcome(edit(shown.id))], ['три', [403, 'FORBIDDEN']]);
  const own = await publish(anna, 'четыре');
  assert.equal('may_edit' in (await seen(anna, own.id)), false);
  assert.deepEqual(await outcome(edit(own.id)), [200]);

  await anna.send('DELETE', `/posts/${id}`);
  wall.clock.now += 301;
  await runJobs(wall.db, wall.clock.now);
  const left = await wall.db.read.selectFrom('gated_posts').select('post_id').orderBy('post_id').execute();
  assert.deepEqual(
    left.map(({ post_id }) => String(post_id)),
    [removed.id, shown.id],
  );
});

onWall(
  'what came through the gate a name and «О себе» of a newcomer have one link and two mentions, as a post',
  async (wall) => {
    const anna = await register(wall);
    const put = (lines: object) => anna.send('PATCH', '/users/current/profile', lines);
    const crowded = [
      { about: 'https://a.example/1 https://b.example/2' },
      { display_name: 'https://a.example', about: 'https://b.example/2' },
      { display_name: '@one_x @two_xx @three' },
    ];
    for (const lines of crowded) {
      const refused = await put(lines);
      assert.deepEqual([refused.statusCode, refused.json().code], [400, 'INVALID_REQUEST'], refused.body);
      assert.match(refused.json().message, /одна ссылка и два упоминания/);
    }
    assert.deepEqual(await outcome(put({ display_name: 'Анна', about: 'Пишу на https://a.example/1' })), [200]);
    // What is stored counts as well.
    assert.deepEqual(await outcome(put({ display_name: 'https://b.example' })), [400, 'INVALID_REQUEST']);
    assert.deepEqual(await outcome(put({ display_name: 'https://b.example', about: null })), [200]);
    assert.deepEqual(await outcome(put({ about: 'https://a.example/1' })), [400, 'INVALID_REQUEST']);
    wall.clock.now += 3 * 86_400;
    await renew(anna);
    assert.deepEqual(await outcome(put(crowded[0]!)), [200]);
  },
);
