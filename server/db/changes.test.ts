import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, afterEach, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import {
  engines,
  freshStorage,
  migratedStorage,
  type OpenedDatabase,
  openFresh,
  openStorage,
  patientPostgres,
} from '../../test/kit/engines.ts';
import { ticksUntil, pollWithin } from '../../test/kit/polling.ts';
import { type Database, StorageUnavailable, type Tag, type Tx } from './database.ts';
import { openDatabase, sqliteFile } from './open-database.ts';
import { Relay } from '../../test/kit/relay.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { createUser } from '../../test/kit/create-user.ts';

type Received = readonly Tag[] | 'everything';

/** False for `everything`. A process also reports this after a long pause, in which notices may have been removed. */
const isNamed = (tags: Received): boolean => tags !== 'everything';

/** Each tag is reported once and in this order, except tags that a busy process has reported as `everything`. */
function assertReported(received: readonly Received[], expected: readonly Tag[]): void {
  const named = received.filter((tags) => tags !== 'everything').flat();
  const isCovered = received.length > named.length;
  assert.deepEqual(named, isCovered ? expected.filter((tag) => named.includes(tag)) : expected);
}

/** In ticks: ten seconds, longer on a busy machine, because PostgreSQL is another process. */
const patience = 1_000;

const addUser = (tx: Tx, username: string): Promise<number> =>
  createUser(tx, { username, email: `${username}@example.com`, now: 1 });

/** Adds a person and touches tags in one transaction. */
const addTouching = (db: Database, username: string, ...tags: Tag[]): Promise<void> =>
  db.tx(async (tx) => {
    await addUser(tx, username);
    tx.touch(...tags);
  });

for (const engine of engines) {
  describe(`changes on ${engine}`, () => {
    let opened: OpenedDatabase;
    let other: Database;
    const received: Received[] = [];
    before(async () => {
      opened = await openFresh(engine);
      other = await openStorage(opened.storage);
      // Opening the second connection may also be reported as a write.
      await opened.db.catchUp();
      opened.db.onChange((tags) => received.push(tags));
    });
    afterEach(() => received.splice(0));
    after(async () => {
      await other.close();
      await opened.close();
    });

    test('are reported once, before the write is acknowledged and after they can be read', async () => {
      let seen: Promise<Array<{ username: string }>> | undefined;
      opened.db.onChange(() => {
        seen ??= opened.db.read.selectFrom('users').select('username').execute();
      });
      await opened.db.tx(async (tx) => {
        tx.touch('feed', 'user:1');
        await addUser(tx, 'first');
        tx.touch('posts-of:1');
        assert.deepEqual(received, []);
      });
      assert.deepEqual(received, [['feed', 'user:1', 'posts-of:1']]);
      assert.deepEqual(
        (await seen)?.map(({ username }) => username),
        ['first'],
      );
      await opened.db.catchUp();
      assert.equal(received.length, 1);
    });

    test('of a failed transaction are not reported', async () => {
      const failed = opened.db.tx(async (tx) => {
        tx.touch('feed');
        await addUser(tx, 'second');
        throw new Error('refused');
      });
      await assert.rejects(failed, /refused/);
      await opened.db.catchUp();
      assert.deepEqual(received, []);
    });

    test('of another process are reported within a second', async () => {
      await addTouching(other, 'third', 'feed', 'posts-of:3');
      const isExpected = (tags: Received) => engine === 'sqlite' || isNamed(tags);
      const tags = await pollWithin(100, () => received.find(isExpected));
      assert.deepEqual(tags, engine === 'sqlite' ? 'everything' : ['feed', 'posts-of:3']);
      assert.equal(opened.db.receivesForeignWrites, true);
    });

    test('of another process have been reported when this one has caught up', async () => {
      for (let i = 0; i < 20; i += 1) {
        await addTouching(other, `caught_${i}`, `user:${i}`);
        assert.equal(await opened.db.catchUp(), true);
        const reported = received.splice(0);
        if (engine === 'sqlite') assert.deepEqual(reported, ['everything']);
        else assertReported(reported, [`user:${i}`]);
      }
    });

    test('are reported as everything when there are too many to name', async () => {
      const tags = Array.from({ length: 2_000 }, (_, i): Tag => `post:${i}`);
      await addTouching(other, 'fourth', ...tags);
      assert.equal(await pollWithin(patience, () => received[0]), 'everything');
    });
  });
}

describe('changes on sqlite', () => {
  test('do not include checkpoints of the WAL', async (t) => {
    const { db, storage, close } = await openFresh('sqlite');
    t.after(close);
    const received: Received[] = [];
    db.onChange((tags) => received.push(tags));
    const author = await db.tx((tx) => addUser(tx, 'author'));
    const post = {
      user_id: author,
      text: 'x'.repeat(500),
      created_at: 1,
      parent_post_id: null,
      replied_post_id: null,
    };
    const thousand = Array.from({ length: 1_000 }, () => post);
    for (let i = 0; i < 40; i += 1) {
      await db.tx((tx) => tx.db.insertInto('all_posts').values(thousand).execute());
    }
    await pollWithin(10 * patience, () => (statSync(sqliteFile(storage.dataDir)).size > 10_000_000 ? true : undefined));
    await db.tx((tx) => addUser(tx, 'reader'));
    await db.catchUp();
    assert.deepEqual(received, []);
  });
});

describe('write notices on postgres', { concurrency: true }, () => {
  test('are each reported once, though a transaction that began before them ends after them', async (t) => {
    const { db, other, received } = await twoDatabases(t);
    const gate = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const long = other.tx(async (tx) => {
      await addUser(tx, 'patient');
      tx.touch('user:1');
      written.resolve();
      await gate.promise;
    });
    await written.promise;
    try {
      for (const id of [2, 3]) {
        await addTouching(other, `quick_${id}`, `user:${id}`);
        await db.catchUp();
      }
      assertReported(received, ['user:2', 'user:3']);
    } finally {
      // Tests that run beside this one wait for older transactions of the server.
      gate.resolve();
      await long;
    }
    await db.catchUp();
    assertReported(received, ['user:2', 'user:3', 'user:1']);
  });

  test('are known to be missing when PostgreSQL does not answer, and none is missed afterwards', async (t) => {
    const { db, other, relay, received } = await twoDatabases(t);
    relay.hold();
    const caughtUp = db.catchUp();
    assert.ok((await ticksUntil(caughtUp)) < 1.5 * patience);
    assert.equal(await caughtUp, false);
    assert.equal(db.receivesForeignWrites, false);
    await addTouching(other, 'meanwhile', 'user:1');
    relay.goOn();
    await pollWithin(3 * patience, () => (db.receivesForeignWrites ? true : undefined));
    assert.equal(await db.catchUp(), true);
    assert.ok(received.some((tags) => tags === 'everything' || tags.includes('user:1')));
  });

  test('are reported also when the outcome of a commit is known only later', async (t) => {
    const { db, other, relay, received, operator } = await twoDatabases(t);
    await operator.query('begin; lock table announcements in share mode');
    const unknown = addTouching(db, 'unknown', 'user:1');
    const waits = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into "announcements"%'`;
    await pollWithin(patience, async () => (await waits.execute(other.read)).rows[0]);
    relay.cut();
    await assert.rejects(unknown, StorageUnavailable);
    await pollWithin(patience, () => (received.length >= 2 ? true : undefined));
    // The tags are reported because the write may be committed, `everything` because the connection was lost.
    assert.deepEqual(received.splice(0).filter(isNamed), [['user:1']]);
    await operator.query('rollback');
    assert.deepEqual(await pollWithin(patience, () => received.find(isNamed)), ['user:1']);
  });

  test('are removed when they could be read long enough', async (t) => {
    const { other, operator } = await twoDatabases(t, 600);
    await addTouching(other, 'noticed', 'user:1');
    const count = async () => (await operator.query('select from announcements')).rowCount;
    assert.equal(await count(), 1);
    await pollWithin(3 * patience, async () => ((await count()) === 0 ? true : undefined));
  });

  test('are reported as everything after a pause in which they may have been removed', async (t) => {
    const retainedMs = 600;
    const { db, other, relay, received } = await twoDatabases(t, retainedMs);
    relay.hold();
    await addTouching(other, 'removed', 'user:1');
    await sleep(retainedMs);
    relay.goOn();
    assert.equal(await db.catchUp(), true);
    assert.ok(received.includes('everything'));
  });
});

describe('changes on postgres', () => {
  test('that only add are reported as replacing while write notices cannot be read', async (t) => {
    const { storage, remove } = await freshStorage('postgres');
    const db = await openDatabase(storage, () => {});
    const name = new URL(storage.databaseUrl!).pathname.slice(1);
    const operator = new pg.Client(Object.assign(new URL(storage.databaseUrl!), { pathname: '/postgres' }).href);
    await operator.connect();
    t.after(async () => {
      await operator.end();
      await db.close();
      await remove();
    });
    await db.tx((tx) => addUser(tx, 'connected'));
    // The connection for writes goes on, the one for write notices cannot be opened again.
    await operator.query(`alter database ${name} with allow_connections false`);
    await operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query like '%from announcements%'`,
      [name],
    );
    await pollWithin(2 * patience, () => (db.receivesForeignWrites ? undefined : true));
    const received: Received[] = [];
    db.onChange((tags) => received.push(tags));
    await addTouching(db, 'added', '+feed');
    assert.deepEqual(received, [['feed']]);
    await operator.query(`alter database ${name} with allow_connections true`);
  });

  test('are reported as everything after a broken listening connection is detected and replaced', async (t) => {
    const errors: Error[] = [];
    const { storage, remove } = await freshStorage('postgres');
    const db = await openDatabase(storage, (error) => errors.push(error));
    t.after(async () => {
      await db.close();
      await remove();
    });
    const received: Received[] = [];
    db.onChange((tags) => received.push(tags));

    const operator = new pg.Client(storage.databaseUrl);
    await operator.connect();
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await operator.end();

    await pollWithin(patience, () => (db.receivesForeignWrites ? undefined : true));
    await pollWithin(2 * patience, () => (db.receivesForeignWrites ? true : undefined));
    assert.deepEqual(received, ['everything']);
    assert.match(errors[0]!.message, /terminat/);
  });
});

/** Two processes on one PostgreSQL, the first behind a relay. Notices are kept so long that no pause of a busy machine matters. */
async function twoDatabases(t: TestContext, retainedMs = 60_000) {
  const { storage, remove } = await migratedStorage('postgres');
  const address = new URL(storage.databaseUrl!);
  const relay = await Relay.to(Number(address.port));
  const other = await openPostgres(address.href, () => {}, { ...patientPostgres, retainedMs });
  address.port = String(relay.port);
  const db = await openPostgres(address.href, () => {}, { ...patientPostgres, retainedMs });
  const operator = new pg.Client(storage.databaseUrl);
  await operator.connect();
  t.after(async () => {
    await operator.end();
    await db.close();
    await other.close();
    await relay[Symbol.asyncDispose]();
    await remove();
  });
  const received: Received[] = [];
  db.onChange((tags) => received.push(tags));
  return { db, other, relay, received, operator };
}
