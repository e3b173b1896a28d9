import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { mock, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { engines } from '../../test/kit/engines.ts';
import { register } from '../../test/kit/member.ts';
import { stoppedClock } from '../../test/kit/stopped-clock.ts';
import { pollWithin } from '../../test/kit/polling.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import type { Database } from '../db/database.ts';

/** A limit that only detects a hang. */
const looks = 1_000;

function collected() {
  const lines: unknown[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, log };
}

/** Makes transactions that publish posts wait. */
async function holdPosts(db: Database) {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.tx(async (tx) => {
    if (db.engine === 'postgres') await sql`lock table all_posts in share row exclusive mode`.execute(tx.db);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const begun = mock.method(db, 'tx').mock;
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    untilWaiting: (count: number) =>
      pollWithin(looks, async () => {
        if (begun.callCount() < count) return undefined;
        return db.engine === 'sqlite' || (await waiting.execute(db.read)).rows.length === count || undefined;
      }),
    release: () => {
      begun.restore();
      released.resolve();
      return holding;
    },
  };
}

for (const engine of engines)
  test(`answers that take longer than a second are logged with what they waited for, one a second, on ${engine}`, async () => {
    const { lines, log } = collected();
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' }, log);
    const { token } = await register(wall);
    const url = `${await wall.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/posts`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    /** Sends the body once the server waits for it. Then an event of the connection, not of the request, continues the handling. */
    const publish = async (text: string) => {
      const sent = request(url, { method: 'POST', headers });
      sent.flushHeaders();
      const [asked] = (await once(wall.app.server, 'request')) as [IncomingMessage];
      await pollWithin(looks, () => asked.listenerCount('data') > 0 || undefined);
      sent.end(JSON.stringify({ text }));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    using clock = stoppedClock();
    const sendHeld = async (count: number) => {
      const hold = await holdPosts(wall.db);
      const sending = Array.from({ length: count }, (_, i) => publish(`запись ${i}`));
      await hold.untilWaiting(count);
      clock.pass(1_500);
      await hold.release();
      assert.deepEqual(new Set(await Promise.all(sending)), new Set([201]));
    };
    const line = { level: 40, msg: 'slow answer', route: 'POST /api/v1/posts', status: 201, ms: 1_500 };
    // On PostgreSQL the queries for followers wait beside the insertion, and waits at the same time are added up.
    const storage = engine === 'postgres' ? 3 * 1_500 : 1_500;
    const waitedMs = { storage, pool: 0, turn: 0, sameResponse: 0 };
    await sendHeld(3);
    assert.equal(lines.length, 1);
    assert.partialDeepStrictEqual(lines[0], { ...line, waitedMs, unlogged: 0 });
    await sendHeld(1);
    assert.equal(lines.length, 2);
    assert.partialDeepStrictEqual(lines[1], { ...line, waitedMs, unlogged: 2 });
  });

async function pageWall() {
  const { lines, log } = collected();
  const wall: Wall = await openWall('sqlite', {}, log);
  return { lines, wall, member: await register(wall) };
}

test('the calls of a page count as waits of the page', async () => {
  const { lines, wall, member } = await pageWall();
  using clock = stoppedClock();
  const run = wall.app.members.run.bind(wall.app.members);
  mock.method(wall.app.members, 'run', (userId: number, make: () => Promise<unknown>) =>
    run(userId, async () => {
      clock.pass(1_200);
      return make();
    }),
  );
  const session = member.cookies.get('session')!;
  const { statusCode } = await wall.app.inject({
    url: '/own/saved',
    headers: { accept: 'text/html' },
    cookies: { session },
  });
  assert.equal(statusCode, 200);
  assert.equal(lines.length, 1);
  assert.partialDeepStrictEqual(lines[0], { route: 'GET /own/saved', status: 200 });
  await wall.close();
});

test('an answer is slow because others are made before it', async () => {
  const { lines, wall, member } = await pageWall();
  const ids: number[] = [];
  for (let i = 0; i < 5; i += 1) ids.push(await wall.post(Number(member.id), `запись ${i}`));
  using clock = stoppedClock();
  const thread = 'GET /posts/{id}/thread';
  const read = wall.app.readable.get(thread)!;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let begun = 0;
  wall.app.readable.set(thread, async (...input) => {
    begun += 1;
    if (begun <= 4) {
      await opened;
    } else {
      await Promise.all(pages.slice(0, 4));
      clock.pass(200);
    }
    return read(...input);
  });
  const pages = ids.map((id) => wall.get(`/posts/${id}`, { accept: 'text/html' }));
  await pollWithin(looks, () => begun === 4 || undefined);
  clock.pass(900);
  open();
  await Promise.all(pages);
  assert.equal(lines.length, 1);
  assert.partialDeepStrictEqual(lines[0], { route: 'GET /posts/:id', ms: 1_100, waitedMs: { turn: 900, storage: 0 } });
  await wall.close();
});
