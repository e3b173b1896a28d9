import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import type { EventReader, ReceivedEvent } from '../../../test/kit/event-reader.ts';
import { listening, reader, twoProcesses } from '../../../test/kit/live-wall.ts';
import { type Member, outcome, publish, register, signInElsewhere } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { ticksUntil } from '../../../test/kit/polling.ts';
import { openWall } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';
import { storedThreads } from './reading-store.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' });

const path = '/users/current/reading';

async function read(person: Member, postId: string, list = 'feed'): Promise<string> {
  const response = await person.send('PUT', path, { list, post_id: postId });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().post_id;
}

const positionsOf = async (person: Member, thread?: string): Promise<{ feed: string | null; thread: string | null }> =>
  (await person.send('GET', thread === undefined ? path : `${path}?thread=${thread}`)).json();

async function publishMany(author: Member, many: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < many; i += 1) ids.push((await publish(author, `${i}`)).id);
  return ids;
}

onWall(
  'reading positions are where a person has read furthest on any device, in the feed and in each discussion',
  async (wall) => {
    const [anna, boris] = [await register(wall), await register(wall)];
    const phone = await signInElsewhere(wall, anna);
    // Some ids have two digits: compared as text, another position would be the furthest.
    const ids = await publishMany(boris, 12);
    assert.deepEqual(await positionsOf(anna), { feed: null, thread: null });
    assert.equal(await read(anna, ids[8]!), ids[8]);
    assert.equal(await read(phone, ids[2]!), ids[8], 'never back');
    assert.equal(await read(phone, ids[10]!), ids[10]);
    assert.equal(await read(anna, ids[10]!), ids[10], 'again');
    const thread = `thread:${ids[0]}`;
    assert.equal(await read(phone, ids[4]!, thread), ids[4]);
    for (const device of [anna, phone]) {
      assert.deepEqual(await positionsOf(device), { feed: ids[10], thread: null });
      assert.deepEqual(await positionsOf(device, ids[0]), { feed: ids[10], thread: ids[4] });
      for (const other of [ids[1]!, '0', 'нет']) assert.equal((await positionsOf(device, other)).thread, null);
    }
    assert.deepEqual(await positionsOf(boris, ids[0]), { feed: null, thread: null });
  },
);

onWall('reading positions may be a deleted post, but no post that has not been there yet', async (wall) => {
  const anna = await register(wall);
  const [first, last] = (await publishMany(anna, 2)) as [string, string];
  const next = String(Number(last) + 1);
  await anna.send('DELETE', `/posts/${last}`);
  assert.equal(await read(anna, last), last);
  assert.equal(await read(anna, last, `thread:${last}`), last);
  for (const [list, post_id] of [
    ['feed', next],
    ['feed', '999999999999999'],
    ['feed', '0'],
    ['feed', 'нет'],
    ['feed', ''],
    [`thread:${next}`, first],
    ['thread:0', first],
    ['thread:', first],
    [`thread:${first} `, first],
    ['replies', first],
  ]) {
    const refused = await outcome(anna.send('PUT', path, { list, post_id }));
    assert.deepEqual(refused, [400, 'INVALID_REQUEST'], `${list} ${post_id}`);
  }
  for (const body of [{}, { list: 'feed' }, { list: 'feed', post_id: 1 }, { list: 'feed', post_id: first, x: 1 }]) {
    assert.deepEqual(await outcome(anna.send('PUT', path, body)), [400, 'INVALID_REQUEST']);
  }
  assert.deepEqual(await positionsOf(anna, first), { feed: last, thread: null });
});

onWall('reading positions are kept for the last thousand discussions', async (wall) => {
  const anna = await register(wall);
  const ids = await publishMany(anna, 3);
  const userId = Number(anna.id);
  const old = Array.from({ length: storedThreads }, (_, i) => ({
    user_id: userId,
    list: 1_000_000 + i,
    post_id: 1,
    updated_at: wall.clock.now - i,
  }));
  await wall.db.tx(({ db }) => db.insertInto('reading_positions').values(old).execute());
  const kept = async (): Promise<number[]> => {
    await runJobs(wall.db, wall.clock.now);
    const rows = await wall.db.read.selectFrom('reading_positions').select('list').orderBy('list').execute();
    return rows.map(({ list }) => list);
  };
  await read(anna, ids[0]!);
  assert.equal((await kept()).length, storedThreads + 1, 'the feed is not a discussion');
  for (const id of ids) await read(anna, id, `thread:${id}`);
  const lists = await kept();
  assert.deepEqual(lists.slice(0, 4), [0, ...ids.map(Number)]);
  assert.equal(lists.length, 1 + storedThreads);
  assert.equal(lists.at(-1), 1_000_000 + storedThreads - 1 - ids.length);
});

/** Another device knows the position after at most 200 ticks of 10 ms, which take longer than two seconds on a busy machine. */
const knownWithinTurns = 200;

const report = (person: Member, postId: string, list = 'feed') =>
  person.send('PUT', '/users/current/reading', { list, post_id: postId });

const cookieOf = (person: Member) => ({ cookie: `session=${person.cookies.get('session')}` });

/** All positions reported, in order. */
const reported = (received: ReceivedEvent[]) => received.map(({ changes }) => changes.reading ?? []).flat();

const feedAt = (post_id: string) => [{ list: 'feed', post_id }];

const walled = async (t: TestContext, engine: Engine) =>
  listening(t, await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' }));

for (const engine of engines) {
  describe(`the reading position on another device on ${engine}`, () => {
    test('is reported to every stream of its person and to nobody else', async (t) => {
      const wall = await walled(t, engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const [phone, left] = [await signInElsewhere(wall, anna), await signInElsewhere(wall, anna)];
      const ids = [await publish(boris, 'раз'), await publish(boris, 'два'), await publish(boris, 'три')].map(
        ({ id }) => id,
      );
      await report(anna, ids[0]!);
      await report(anna, ids[1]!, `thread:${ids[0]}`);
      await report(boris, ids[0]!);
      const [hers, onPhone, his, visitor, closed] = [
        await reader(t, wall.url, cookieOf(anna)),
        await reader(t, `${wall.url}?posts=${ids[0]},${ids[2]}`, { authorization: `Bearer ${phone.token}` }),
        await reader(t, wall.url, cookieOf(boris)),
        await reader(t, wall.url),
        await reader(t, wall.url, cookieOf(left)),
      ];
      await left.send('DELETE', '/sessions/current');
      // The first event has the state of what the stream shows.
      assert.deepEqual(hers.received[0]!.changes.reading, feedAt(ids[0]!));
      const thread = { list: `thread:${ids[0]}`, post_id: ids[1]! };
      assert.deepEqual(onPhone.received[0]!.changes.reading, [...feedAt(ids[0]!), thread]);
      assert.deepEqual(his.received[0]!.changes.reading, feedAt(ids[0]!));
      assert.equal(visitor.received[0]!.changes.reading, undefined);
      const polled = async (by: Member, query = '') => (await by.send('GET', `/events${query}`)).json().reading;
      assert.deepEqual(await polled(anna, `?posts=${ids[0]}`), [...feedAt(ids[0]!), thread]);
      assert.equal((await wall.get('/api/v1/events')).json.reading, undefined);

      await report(phone, ids[2]!);
      const known = [hers, onPhone].map(({ until }) => until((all) => reported(all).at(-1)!.post_id === ids[2]));
      assert.ok((await ticksUntil(Promise.all(known))) < knownWithinTurns);
      const moved = hers.received.at(-1)!;
      assert.deepEqual(moved.changes, {
        position: hers.received[0]!.id,
        reset: false,
        posts: [],
        replies: [],
        changed: [],
        deleted: [],
        counts: [],
        reading: feedAt(ids[2]!),
      });
      assert.equal(moved.id, hers.received[0]!.id, 'the stream continues where it was');
      assert.deepEqual(await polled(phone), feedAt(ids[2]!));

      // A position that does not move is not reported. A position in a discussion is reported like one in the feed.
      await report(anna, ids[1]!);
      await report(anna, ids[2]!, thread.list);
      for (const { until } of [hers, onPhone]) {
        await until((all) => reported(all).at(-1)!.list === thread.list && reported(all).at(-1)!.post_id === ids[2]);
      }
      assert.equal(hers.received.length, 3);

      const { id: latest } = await publish(boris, 'для всех');
      for (const { until } of [hers, his, visitor, closed]) await until((all) => all.at(-1)!.changes.posts.length > 0);
      for (const { received } of [his, visitor, closed])
        assert.equal(received.length, 2, 'only the first and the post');

      hers.close();
      await report(anna, latest);
      const again = await reader(t, wall.url, { ...cookieOf(anna), 'last-event-id': hers.received.at(-1)!.id });
      assert.deepEqual(again.received[0]!.changes.reading, feedAt(latest));
      assert.equal(again.received[0]!.changes.reset, false);
    });
  });
}

/** Ends all connections to the database but one. */
async function cutConnections(db: Database): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `.execute(db.read);
}

const knows = (device: EventReader, postId: string) => device.until((all) => reported(all).at(-1)?.post_id === postId);

test('the reading position is known in another process within two seconds, and after a lost connection', async (t) => {
  const { here, there } = await twoProcesses(t);
  const anna = await register(here);
  const device = await reader(t, there.url, cookieOf(anna));
  for (let i = 0; i < 3; i += 1) {
    const { id } = await publish(anna, `${i}`);
    await report(anna, id);
    assert.ok((await ticksUntil(knows(device, id))) < knownWithinTurns);
  }
  const { id } = await publish(anna, 'пока связи нет');
  await device.until((all) => all.at(-1)!.changes.posts[0]?.id === id);
  // The position is written without a notification, as if the notification had been lost.
  await here.db.tx(({ db }) =>
    db
      .updateTable('reading_positions')
      .set({ post_id: Number(id) })
      .execute(),
  );
  await cutConnections(here.db);
  await knows(device, id);
});
