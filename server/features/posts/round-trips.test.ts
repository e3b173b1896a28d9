import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { freshPlace } from '../../../test/kit/engines.ts';
import { type Member, publish, register } from '../../../test/kit/member.ts';
import { Relay } from '../../../test/kit/relay.ts';
import { type Wall, wallOver } from '../../../test/kit/wall.ts';
import { openPostgres } from '../../db/postgres/open-postgres.ts';

describe('round trips to PostgreSQL', () => {
  const cleanup = new AsyncDisposableStack();
  let relay: Relay;
  let wall: Wall;
  let anna: Member;
  let post: Post;
  before(async () => {
    const { place } = cleanup.use(await freshPlace('postgres'));
    const address = new URL(place.databaseUrl!);
    relay = cleanup.use(await Relay.to(Number(address.port)));
    address.port = String(relay.port);
    // Polls of write notices would be counted, too.
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
      // Budgets are per minute.
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
