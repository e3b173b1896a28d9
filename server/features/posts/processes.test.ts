import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { freshStorage } from '../../../test/kit/engines.ts';
import { type Member, publish, register } from '../../../test/kit/member.ts';
import { Relay } from '../../../test/kit/relay.ts';
import { type Browser, openBrowser } from '../../../test/kit/sign-in.ts';
import { twoProcesses } from '../../../test/kit/live-wall.ts';
import { type Wall, wallOver } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { openPostgres } from '../../db/postgres/open-postgres.ts';

test('two processes on one PostgreSQL count and show what they write together', async (t) => {
  const { here, there } = await twoProcesses(t, {}, {});
  const people: Array<[Browser, Browser]> = [];
  for (let i = 0; i < 10; i += 1) {
    const { token } = await register(i % 2 ? here : there);
    people.push([Object.assign(openBrowser(here), { token }), Object.assign(openBrowser(there), { token })]);
  }
  const many = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => work(i)));
  const [anna, boris] = [people[0]!, people[1]!];

  const once = await many(40, (i) => anna[i % 2]!.send('POST', '/posts', { text: 'раз' }, { 'idempotency-key': 'k1' }));
  assert.deepEqual([...new Set(once.map(({ statusCode }) => statusCode))], [201]);
  assert.equal(new Set(once.map((response) => response.json().id)).size, 1, 'an idempotency key writes once');

  const { id } = await publish(anna[0], 'общая');
  const likes = await many(100, (i) => boris[i % 2]!.send('POST', `/posts/${id}/likes`));
  assert.equal(likes.filter(({ statusCode }) => statusCode === 200).length, 60);
  assert.equal(likes.filter(({ statusCode }) => statusCode === 429).length, 40);
  here.clock.now = there.clock.now += 61;

  const method = (i: number) => (i % 20 < 10 ? 'POST' : 'DELETE');
  await many(200, (i) => people[i % 10]![Math.floor(i / 10) % 2]!.send(method(i), `/posts/${id}/likes`));
  await many(10, (i) => people[i]![i % 2]!.send('POST', `/posts/${id}/likes`));
  await many(40, (i) => publish(people[i % 10]![i % 2]!, `${i}`, `/posts/${id}/replies`));
  await anna[0].send('PATCH', `/posts/${id}`, { text: 'изменённая' });
  for (const { db } of [here, there]) await db.catchUp();
  for (const wall of [here, there]) {
    const { text, actions } = (await wall.get(`/api/v1/posts/${id}`)).json;
    assert.deepEqual([text, actions.likes_count, actions.replies_count], ['изменённая', 10, 40]);
  }
  assert.deepEqual(await Array.fromAsync(recount(here.db.read)), []);
});

describe('round trips to PostgreSQL', () => {
  const cleanup = new AsyncDisposableStack();
  let relay: Relay;
  let wall: Wall;
  let anna: Member;
  let post: Post;
  before(async () => {
    const { storage } = cleanup.use(await freshStorage('postgres'));
    const address = new URL(storage.databaseUrl!);
    relay = cleanup.use(await Relay.to(Number(address.port)));
    address.port = String(relay.port);
    // Polls of write notices would be counted, too, so they are an hour apart.
    const db = await openPostgres(address.href, () => {}, { pollMs: 3_600_000 });
    cleanup.defer(() => db.close());
    wall = cleanup.use(await wallOver(db));
    anna = await register(wall);
    const boris = await register(wall);
    post = await publish(boris, 'на что отвечают');
  });
  after(() => cleanup.disposeAsync());

  async function atMost(roundTrips: number, write: () => Promise<{ statusCode: number; body: string }>): Promise<void> {
    const counted: number[] = [];
    // On a busy machine a message may arrive in two parts, which count as two round trips.
    while (counted.length < 20 && !counted.some((count) => count <= roundTrips)) {
      // Budgets are per minute, so the clock moves on.
      wall.clock.now += 13;
      const earlier = relay.roundTrips;
      const { statusCode, body } = await write();
      counted.push(relay.roundTrips - earlier);
      assert.ok(statusCode < 300, body);
    }
    assert.ok(Math.min(...counted) <= roundTrips, `${counted.join(', ')} round trips`);
  }

  test('a post takes at most four', async () => {
    const publishing = () => anna.send('POST', '/posts', { text: 'записано' }, { 'idempotency-key': randomUUID() });
    await atMost(4, publishing);
  });

  test('a reply takes at most seven, a like five', async () => {
    const path = `/posts/${post.id}`;
    const replying = () => anna.send('POST', `${path}/replies`, { text: 'ответ' }, { 'idempotency-key': randomUUID() });
    await atMost(7, replying);
    let likes = 0;
    const liking = () => anna.send((likes += 1) % 2 ? 'POST' : 'DELETE', `${path}/likes`);
    await atMost(5, liking);
  });
});
