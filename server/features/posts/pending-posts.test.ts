import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../../../demo/random.ts';
import { confirm, journal, registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { closeGate, decideAtOnce } from '../../../test/kit/gate.ts';
import { deleteAccount, type Member, outcome, publish, register, renew } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

const settings = { RATE_LIMITS: 'off', ACCESS_TOKEN_SECONDS: '10000000' };

interface Held {
  id: string;
  text: string;
  created_at: number;
  replied_post_id: string | null;
  expires_at: number;
}

async function hold(by: Member, text: string, path = '/posts'): Promise<Held> {
  const response = await by.send('POST', path, { text });
  assert.equal(response.statusCode, 202, response.body);
  return response.json().pending;
}

const json = async (by: Member, path: string) => (await by.send('GET', path)).json();
const waitingOf = async (by: Member): Promise<string[]> =>
  (await json(by, '/posts/removed')).pending.map(({ text }: Held) => text);
const atDesk = async (moderator: Member): Promise<string[]> =>
  (await json(moderator, '/moderation/waiting')).posts.map(({ text }: Held) => text);
const approve = (moderator: Member, { id }: { id: string }) =>
  moderator.send('POST', `/moderation/posts/${id}/approval`);
const remove = (moderator: Member, { id }: { id: string }) =>
  moderator.send('POST', `/moderation/posts/${id}/removal`, { reason: 'Реклама или спам' });
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

for (const engine of engines) {
  describe(`newcomers' gate on ${engine}`, () => {
    test('nobody but the author and moderators sees a post that waits', async () => {
      await using wall = await openWall(engine, settings);
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
        assert.deepEqual(await outcome(approve(reader, { id })), [404, 'NOT_FOUND']);
      }
      assert.deepEqual(await waitingOf(anna), ['секрет в ответ', `секрет @${reader.username}`]);
      assert.equal((await json(anna, '/users/current/export')).pending.length, 2);
      assert.deepEqual(await atDesk(owner), [`секрет @${reader.username}`, 'секрет в ответ']);
      assert.deepEqual(await json(owner, '/moderation/reports/count'), { open: 0, pending: 2 });
    });

    test('one tap publishes it as any other, at that moment; then the author waits no longer', async () => {
      await using wall = await openWall(engine, settings);
      const [reader, anna] = [await register(wall), await register(wall)];
      const root = await publish(reader, 'корень');
      const owner = await closeGate(wall);
      const reply = await hold(anna, 'привет', `/posts/${root.id}/replies`);
      const own = await hold(anna, 'первая');
      wall.clock.now += 500;
      const approved = await approve(owner, own);
      const { post_id: id } = approved.json();
      const [shown] = (await wall.get('/api/v1/posts')).json.posts;
      assert.deepEqual([shown.id, shown.text, shown.created_at], [id, 'первая', wall.clock.now], approved.body);
      assert.deepEqual(await outcome(approve(owner, own)), [404, 'NOT_FOUND']);
      assert.equal((await approve(owner, reply)).statusCode, 200);
      assert.equal((await json(reader, '/users/current/notifications')).unread, 1);
      assert.deepEqual(await waitingOf(anna), []);
      await publish(anna, 'вторая');
      assert.deepEqual(await feed(wall), ['вторая', 'первая', 'корень']);
      const [act] = (await journal(owner)).filter(({ action }) => action === 'approve');
      assert.deepEqual([act?.target, act?.undo, act?.post], [id, false, { text: 'первая', is_removed: false }]);
    });

    test('those who keep the wall and people with posts do not wait; without the gate nobody does', async () => {
      await using wall = await openWall(engine, settings);
      const [anna, boris] = [await register(wall), await register(wall)];
      await publish(anna, 'раз');
      const owner = await closeGate(wall, 2);
      await publish(owner, 'от владельца');
      await hold(anna, 'два');
      await hold(boris, 'первая');
      await wall.post(Number(anna.id), 'три');
      await publish(anna, 'четыре');
    });

    test('after its hours it appears, once in any number of processes', async () => {
      await using wall = await openWall(engine, settings);
      const owner = await closeGate(wall, 1, 2);
      const anna = await register(wall);
      await hold(anna, 'первая');
      wall.clock.now += 2 * 3_600 - 1;
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await feed(wall), []);
      wall.clock.now += 62;
      await Promise.all([runJobs(wall.db, wall.clock.now), runJobs(wall.db, wall.clock.now)]);
      assert.deepEqual(await feed(wall), ['первая']);
      assert.deepEqual(await atDesk(owner), []);
    });

    test('a moderator removes it: its author reads why, and the undo puts it on the wall', async () => {
      await using wall = await openWall(engine, settings);
      const [owner, anna] = [await closeGate(wall), await register(wall)];
      const root = await publish(owner, 'корень');
      const reply = await hold(anna, 'в ответ', `/posts/${root.id}/replies`);
      const removed = await remove(owner, reply);
      assert.equal(removed.statusCode, 200, removed.body);
      const [left] = (await json(anna, '/posts/removed')).posts;
      assert.deepEqual([left.text, left.reason], ['в ответ', 'Реклама или спам']);
      assert.deepEqual(await waitingOf(anna), []);
      const undo = owner.send('POST', `/moderation/journal/${removed.json().act_id}/undo`, { reason: 'Ошибка' });
      assert.deepEqual(await outcome(undo), [200]);
      assert.equal((await wall.get(`/api/v1/posts/${root.id}`)).json.actions.replies_count, 1);
    });

    test('its author deletes it, also with the account', async () => {
      await using wall = await openWall(engine, settings);
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

    test('a reply whose discussion was closed meanwhile goes back to its author', async () => {
      await using wall = await openWall(engine, settings);
      const [owner, anna] = [await closeGate(wall), await register(wall)];
      const root = await publish(owner, 'корень');
      const path = `/posts/${root.id}/replies`;
      const [one, two] = [await hold(anna, 'раз', path), await hold(anna, 'два', path)];
      await owner.send('PUT', `/moderation/posts/${root.id}/lock`, { reason: 'Ушли от темы' });
      assert.deepEqual(await outcome(anna.send('POST', path, { text: 'три' })), [403, 'DISCUSSION_CLOSED']);
      assert.equal((await approve(owner, one)).json().post_id, null);
      await owner.send('DELETE', `/posts/${root.id}`);
      assert.equal((await approve(owner, two)).json().post_id, null);
      assert.deepEqual(await outcome(anna.send('POST', path, { text: 'три' })), [404, 'NOT_FOUND']);
      const { posts } = await json(anna, '/posts/removed');
      for (const { reason } of posts) assert.match(reason, /уже нельзя ответить/);
      assert.equal(posts.length, 2);
    });

    test('a call with the same key writes one post, waiting or not', async () => {
      await using wall = await openWall(engine, settings);
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

    test('newcomers use one link and two mentions in a post for three days', async () => {
      await using wall = await openWall(engine, settings);
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

    test('a raid reaches nobody, and ends in one act of the desk; each person can be taken back', async () => {
      await using wall = await openWall(engine, settings);
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
    });

    test('of those who decide about a post at the same moment exactly one does', async (t) => {
      const { rounds, outcomes, faults } = await decideAtOnce(engine, 100, new Random(5));
      assert.deepEqual(faults, []);
      t.diagnostic(`${rounds} rounds: ${JSON.stringify(outcomes)}`);
    });
  });
}
