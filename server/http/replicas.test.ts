import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { patientPostgres } from '../../test/kit/engines.ts';
import { freePort } from '../../test/kit/free-port.ts';
import { publish, register } from '../../test/kit/member.ts';
import { PostgresCluster } from '../../test/kit/postgres-cluster.ts';
import { Relay } from '../../test/kit/relay.ts';
import { pollWithin } from '../../test/kit/polling.ts';
import { type Wall, wallOver } from '../../test/kit/wall.ts';
import type { Database, PostgresVitals, ReplicaVitals } from '../db/database.ts';
import { openPostgres } from '../db/postgres/open-postgres.ts';
import { likePost } from '../features/posts/likes.ts';
import { changeText, lockPost } from '../features/posts/post-writes.ts';
import { jsonResponse } from './response.ts';
import { ResponseCache } from './response-cache.ts';

/** Browsers send this header when a person reloads a page. */
const reload = { 'cache-control': 'max-age=0' };
const readsWithinMs = 20_000;
/** Maximum number of queries to the primary, because jobs may send some. */
const atMostAsked = 5;

describe('public responses', () => {
  const cleanup = new AsyncDisposableStack();
  const errors: string[] = [];
  const note = (error: Error): void => void errors.push(error.message);
  let primary: PostgresCluster;
  let standbys: PostgresCluster[];
  let relay: Relay;
  /** The relay through which the standbys replicate. */
  let source: Relay;
  let db: Database;
  let wall: Wall;
  let anna: number;
  const posts: number[] = [];

  before(async () => {
    primary = cleanup.use(await PostgresCluster.make());
    source = cleanup.use(await Relay.to(primary.port));
    standbys = [await primary.makeStandby(source.port, 'one'), await primary.makeStandby(source.port, 'two')];
    await primary.start();
    relay = cleanup.use(await Relay.to(primary.port));
    const readUrls = standbys.map((standby) => standby.url());
    db = await openPostgres(primary.url(relay.port), note, { ...patientPostgres, readUrls });
    cleanup.defer(() => db.close());
    // Fifteen readers without a pause are more than visitors may ask for.
    wall = cleanup.use(await wallOver(db, { RATE_LIMITS: 'off' }));
    anna = await wall.person('anna_petrova');
    for (let i = 0; i < 40; i += 1) posts.push(await wall.post(anna, `запись ${i}`));
  });
  after(() => cleanup.disposeAsync());

  let starting: Promise<void> | undefined;
  const standbysRun = (): Promise<void> => (starting ??= start());

  async function start(): Promise<void> {
    for (const standby of standbys) await standby.start();
    await untilUsed(2);
  }

  const replicas = (): ReplicaVitals[] => (db.vitals() as PostgresVitals).replicas;
  const used = (): number => replicas().filter(({ isUsed }) => isUsed).length;

  /** Waits until so many standbys are used. */
  const untilUsed = (count: number, turns = 2_000): Promise<true> =>
    pollWithin(turns, () => used() === count || undefined).catch(() =>
      assert.fail(`${used()} standbys are used, not ${count}: ${errors.join('; ')}`),
    );

  /** Waits until a standby receives the log of this timeline, and the wall knows. */
  async function untilReplicates(standby: PostgresCluster, timeline: number | null): Promise<void> {
    const received = 'select (select received_tli from pg_stat_wal_receiver) as timeline';
    await pollWithin(2_000, async () => (await standby.query(received)).rows[0].timeline === timeline || undefined);
    await sleep(250);
  }

  /** Waits until the standbys in use have everything that has been written. */
  async function untilLevel(): Promise<void> {
    const written = performance.now();
    const isLevel = ({ lagSeconds }: ReplicaVitals): boolean =>
      lagSeconds === undefined || performance.now() - lagSeconds * 1_000 > written;
    while (used() === 0 || !replicas().every(isLevel)) await sleep(5);
  }

  /**
   * Checks that reading these paths asks the primary hardly anything. On a busy machine the standbys may be left out for a moment,
   * so the check may be repeated, each time by an app whose cache is empty.
   */
  async function spareThePrimary(paths: readonly string[]): Promise<void> {
    const queries = mock.method(db.read.getExecutor(), 'executeQuery');
    const asked: number[] = [];
    do {
      await using fresh = await wallOver(db, { RATE_LIMITS: 'off' });
      await untilUsed(2);
      queries.mock.resetCalls();
      for (const path of paths) assert.equal((await fresh.get(path)).status, 200, path);
      asked.push(queries.mock.callCount());
    } while (asked.length < 10 && asked.at(-1)! > atMostAsked);
    queries.mock.restore();
    assert.ok(Math.min(...asked) <= atMostAsked, `the primary was asked ${asked.join(', then ')} times`);
  }

  async function ok(path: string, headers?: Record<string, string>): Promise<ReturnType<typeof JSON.parse>> {
    const { status, json, text } = await wall.get(path, headers);
    assert.equal(status, 200, `${path}: ${text}`);
    return json ?? text;
  }

  test('are made from standbys, not from the primary', async () => {
    assert.equal(used(), 0, 'none runs');
    await ok('/api/v1/posts');
    await standbysRun();
    await untilLevel();
    await spareThePrimary([
      ...posts.flatMap((id) => [`/api/v1/posts/${id}`, `/posts/${id}`]),
      ...Array.from({ length: 20 }, (_, i) => `/api/v1/posts?limit=${i + 1}`),
      '/',
      '/users/anna_petrova',
      '/feed.xml',
      '/sitemap.xml',
    ]);
  });

  test('show every write at once, however far the standbys are behind', async () => {
    await standbysRun();
    for (const standby of standbys) await standby.query('select pg_wal_replay_pause()');
    for (let i = 0; i < 10; i += 1) {
      const id = await wall.post(anna, `новая ${i}`);
      const old = posts[i]!;
      const fan = await wall.person(`fan_${i}`);
      await db.tx((tx) => likePost(tx, { postId: old, userId: fan, now: 1 }));
      const reply = await wall.reply(anna, old, `ответ ${i}`);
      for (let again = 0; again < 3; again += 1) {
        assert.equal((await ok('/api/v1/posts')).posts[0].id, String(id), 'feed');
        assert.equal((await ok(`/api/v1/posts?limit=${i + 1}`)).posts[0].id, String(id), 'feed, asked once');
        assert.equal((await ok(`/api/v1/posts/${id}`)).text, `новая ${i}`, 'post');
        assert.equal((await ok(`/api/v1/posts/${old}`)).actions.likes_count, 1, 'likes');
        assert.equal((await ok(`/api/v1/posts/${old}/replies`)).posts[0].id, String(reply), 'replies');
        assert.match(await ok('/', reload), new RegExp(`новая ${i}<`), 'page of the feed');
        assert.match(await ok(`/posts/${old}`, reload), new RegExp(`>ответ ${i}<`), 'page of a post');
        assert.match(await ok('/feed.xml'), new RegExp(`новая ${i}<`), 'Atom feed');
      }
    }
    await wall.remove(posts[0]!);
    assert.equal((await wall.get(`/api/v1/posts/${posts[0]}`)).status, 404);
    assert.equal((await wall.get(`/posts/${posts[0]}`)).status, 404);
    // Responses that no write has touched are still made from standbys.
    await spareThePrimary(posts.slice(20).map((id) => `/api/v1/posts/${id}/thread`));
    for (const standby of standbys) await standby.query('select pg_wal_replay_resume()');
    await untilLevel();
  });

  test('do not fail when a standby is killed or hangs, and it comes back', async () => {
    await standbysRun();
    const [first, second] = standbys as [PostgresCluster, PostgresCluster];
    const stopped = new AbortController();
    let reads = 0;
    const running = new Set<Promise<unknown>>();
    const read = (path: string): Promise<unknown> => {
      const reading = ok(path).finally(() => running.delete(reading));
      running.add(reading);
      return reading;
    };
    const readers = Promise.all(
      // These are more readers than a standby has connections.
      posts.slice(1, 16).map(async (id) => {
        for (; !stopped.signal.aborted; reads += 1) {
          await read(`/api/v1/posts/${id}?${reads}`);
          await read(`/api/v1/posts?userId=${anna}&limit=${1 + (reads % 50)}`);
        }
      }),
    );
    const late = (): Promise<never> =>
      sleep(readsWithinMs, undefined, { ref: false }).then(() => assert.fail('reads wait for the standby'));
    const during = async (): Promise<void> => {
      await pollWithin(1_000, () => reads > 20 || undefined);
      await first.kill();
      await untilUsed(1, 100);
      await second.freeze();
      await untilUsed(0, 100);
      await Promise.race([Promise.all(running), late()]);
      await second.resume();
      await untilUsed(1);
      await first.start();
      await untilUsed(2);
    };
    await Promise.all([during().finally(() => stopped.abort()), readers]);
  });

  test('show browsers what they have written through a process that reaches the primary earlier', async () => {
    await standbysRun();
    const elsewhere = await openPostgres(primary.url(), note, patientPostgres);
    const other = await wallOver(elsewhere);
    const boris = await register(other);
    const { id } = await publish(boris, 'под сердцем');
    await untilLevel();
    await ok(`/api/v1/posts/${id}`);
    for (const standby of standbys) await standby.query('select pg_wal_replay_pause()');
    relay.pointTo(await freePort());
    const { headers } = await boris.send('POST', `/posts/${id}/likes`);
    const [cookie] = String(headers['set-cookie']).split(';');
    assert.equal(await db.catchUp(), false);
    const seen = ok(`/api/v1/posts/${id}`, { cookie: cookie! });
    for (let attempts = 0; attempts < 2; attempts += 1) assert.equal(await db.catchUp(), false);
    relay.pointTo(primary.port);
    assert.equal((await seen).actions.likes_count, 1);
    for (const standby of standbys) await standby.query('select pg_wal_replay_resume()');
    await other.close();
    await elsewhere.close();
    await untilLevel();
  });

  test('are given while the primary is away, but never after a write that followed', async () => {
    await standbysRun();
    const [first, second] = standbys as [PostgresCluster, PostgresCluster];
    const outdated = new ResponseCache(db);
    // A write outdates the response before it is cached, as it happens to most responses on a busy wall.
    const build = (): Promise<unknown> =>
      outdated.build('the feed', async () => {
        await db.tx(async (tx) => tx.touch('+feed'));
        return { response: jsonResponse([]), tags: ['feed'] };
      });
    // The response is not cached while write notices are late, so it may be built several times.
    while (outdated.entries === 0) await build();
    const edited = `/api/v1/posts/${posts[30]}`;
    await ok(edited);
    await ok(edited);
    await db.tx(async (tx) => changeText(tx, (await lockPost(tx, posts[30]!))!, 'изменённая', 1));
    const inMemory = `/api/v1/posts?userId=${anna}`;
    await ok(inMemory);
    await ok(inMemory);
    const page = await ok('/');
    await ok('/');
    await untilLevel();
    await primary.kill();
    await pollWithin(1_000, () => !db.receivesForeignWrites || undefined);
    for (let i = 0; i < 5; i += 1) {
      await ok(inMemory);
      assert.equal(await ok('/'), page);
      await ok(`/api/v1/posts?limit=${30 + i}`);
      await ok(`/posts/${posts[10 + i]}`);
    }
    assert.equal((await ok(edited)).text, 'изменённая');
    await assert.rejects(wall.post(anna, 'не записано'));
    await ok(inMemory);
    assert.ok(await build());

    await first.promote();
    source.pointTo(first.port);
    await untilReplicates(second, 2);
    await ok('/api/v1/posts?limit=40');

    relay.pointTo(first.port);
    while (!db.receivesForeignWrites) await sleep(5);
    await wall.person('after_all');
    const id = await wall.post(anna, 'после');
    assert.equal((await ok(inMemory)).posts[0].id, String(id));
    assert.match(await ok('/', reload), />после</);
    await untilUsed(1);
    await untilLevel();
    await first.kill();
    // Now the second standby receives no log, so PostgreSQL reports no timeline.
    await untilReplicates(second, null);
    await ok('/api/v1/posts?limit=41');

    await second.kill();
    relay.pointTo(second.port);
    await first.start();
    const earlier = relay.connections;
    const waiting = Promise.all([ok('/api/v1/posts?limit=42'), ok(`/posts/${posts[20]}`)]);
    await pollWithin(1_000, () => relay.connections > earlier + 1 || undefined);
    // Only the relay is late. PostgreSQL runs already, because it may take longer to start than requests wait.
    relay.pointTo(first.port);
    await waiting;
  });
});
