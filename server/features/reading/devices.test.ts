import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import type { EventReader, ReceivedEvent } from '../../../test/kit/event-reader.ts';
import { listening, reader, twoProcesses } from '../../../test/kit/live-wall.ts';
import { type Member, publish, register, signInElsewhere } from '../../../test/kit/member.ts';
import { turnsUntil } from '../../../test/kit/turns.ts';
import { openWall } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';

/** Another device knows within two seconds, unless the machine is busy. */
const knownWithinTurns = 200;

const read = (person: Member, postId: string, list = 'feed') =>
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
      await read(anna, ids[0]!);
      await read(anna, ids[1]!, `thread:${ids[0]}`);
      await read(boris, ids[0]!);
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

      await read(phone, ids[2]!);
      const known = [hers, onPhone].map(({ until }) => until((all) => reported(all).at(-1)!.post_id === ids[2]));
      assert.ok((await turnsUntil(Promise.all(known))) < knownWithinTurns);
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

      // A position that does not move is reported to nobody, and a discussion like the feed.
      await read(anna, ids[1]!);
      await read(anna, ids[2]!, thread.list);
      for (const { until } of [hers, onPhone]) {
        await until((all) => reported(all).at(-1)!.list === thread.list && reported(all).at(-1)!.post_id === ids[2]);
      }
      assert.equal(hers.received.length, 3);

      await publish(boris, 'для всех');
      for (const { until } of [hers, his, visitor, closed]) await until((all) => all.at(-1)!.changes.posts.length > 0);
      for (const { received } of [his, visitor, closed])
        assert.equal(received.length, 2, 'only the first and the post');
    });

    test('reaches a device that was away', async (t) => {
      const wall = await walled(t, engine);
      const anna = await register(wall);
      const { id } = await publish(anna, 'раз');
      const before = await reader(t, wall.url, cookieOf(anna));
      before.close();
      await read(anna, id);
      const again = await reader(t, wall.url, { ...cookieOf(anna), 'last-event-id': before.received.at(-1)!.id });
      assert.deepEqual(again.received[0]!.changes.reading, feedAt(id));
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

describe('the reading position on another device of another process', () => {
  test('is known within two seconds', async (t) => {
    const { here, there } = await twoProcesses(t);
    const anna = await register(here);
    const device = await reader(t, there.url, cookieOf(anna));
    for (let i = 0; i < 3; i += 1) {
      const { id } = await publish(anna, `${i}`);
      await read(anna, id);
      assert.ok((await turnsUntil(knows(device, id))) < knownWithinTurns);
    }
  });

  test('is reported when the connection that was lost meanwhile is back', async (t) => {
    const { here, there } = await twoProcesses(t);
    const anna = await register(here);
    const device = await reader(t, there.url, cookieOf(anna));
    const { id } = await publish(anna, 'пока связи нет');
    await device.until((all) => all.at(-1)!.changes.posts.length > 0);
    // Written without a notification, as if it had been lost.
    const row = { user_id: Number(anna.id), list: 0, post_id: Number(id), updated_at: 1 };
    await here.db.tx(({ db }) => db.insertInto('reading_positions').values(row).execute());
    await cutConnections(here.db);
    await knows(device, id);
  });
});
