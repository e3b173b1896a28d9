import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { freshPlace, patientPostgres } from '../../test/kit/engines.ts';
import { freshOrdered, orders } from '../../test/kit/orders.ts';
import { Relay } from '../../test/kit/relay.ts';
import { addUser, assertReported, isNamed, patience, type Received } from '../../test/kit/reported-changes.ts';
import { turnsUntil, withinTurns } from '../../test/kit/turns.ts';
import { StorageUnavailable } from './database.ts';
import { openDatabase } from './open-database.ts';
import { openPostgres } from './postgres/open-postgres.ts';

/** Makes the next write notice of a process wait. */
const holdsWriteNotices = {
  transactions: 'lock table announcements in share mode',
  sequencer: `insert into announcements (id, origin, tags) values (1, gen_random_uuid(), '[]')`,
};

for (const order of orders) {
  describe(`changes on postgres, ordered by ${order}`, { concurrency: true }, () => {
    it('are each reported once, though a transaction that began before them ends after them', async (t) => {
      const { db, other, received } = await twoDatabases(t, order);
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
          await other.tx(async (tx) => {
            await addUser(tx, `quick_${id}`);
            tx.touch(`user:${id}`);
          });
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

    it('are known to be missing when PostgreSQL does not answer, and none is missed afterwards', async (t) => {
      const { db, other, relay, received } = await twoDatabases(t, order);
      relay.hold();
      const caughtUp = db.catchUp();
      assert.ok((await turnsUntil(caughtUp)) < 1.5 * patience);
      assert.equal(await caughtUp, false);
      assert.equal(db.receivesForeignWrites, false);
      await other.tx(async (tx) => {
        await addUser(tx, 'meanwhile');
        tx.touch('user:1');
      });
      relay.goOn();
      await withinTurns(3 * patience, () => (db.receivesForeignWrites ? true : undefined));
      assert.equal(await db.catchUp(), true);
      assert.ok(received.some((tags) => tags === 'everything' || tags.includes('user:1')));
    });

    it('are reported also when the outcome of a commit is known only later', async (t) => {
      const { db, other, relay, received, operator } = await twoDatabases(t, order);
      await operator.query(`begin; ${holdsWriteNotices[order]}`);
      const unknown = db.tx(async (tx) => {
        await addUser(tx, 'unknown');
        tx.touch('user:1');
      });
      const waits = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into "announcements"%'`;
      await withinTurns(patience, async () => (await waits.execute(other.read)).rows[0]);
      relay.cut();
      await assert.rejects(unknown, StorageUnavailable);
      await withinTurns(patience, () => (received.length >= 2 ? true : undefined));
      // Its own tags because it may have committed, everything because the connection was lost.
      assert.deepEqual(received.splice(0).filter(isNamed), [['user:1']]);
      await operator.query('rollback');
      assert.deepEqual(await withinTurns(patience, () => received.find(isNamed)), ['user:1']);
    });

    it('are removed when they could be read long enough', async (t) => {
      const { other, operator } = await twoDatabases(t, order, 600);
      await other.tx(async (tx) => {
        await addUser(tx, 'noticed');
        tx.touch('user:1');
      });
      const count = async () => (await operator.query('select from announcements')).rowCount;
      assert.equal(await count(), 1);
      await withinTurns(3 * patience, async () => ((await count()) === 0 ? true : undefined));
    });

    it('are reported as everything after a pause in which they may have been removed', async (t) => {
      const keptMs = 600;
      const { db, other, relay, received } = await twoDatabases(t, order, keptMs);
      relay.hold();
      await other.tx(async (tx) => {
        await addUser(tx, 'removed');
        tx.touch('user:1');
      });
      await sleep(keptMs);
      relay.goOn();
      assert.equal(await db.catchUp(), true);
      assert.ok(received.includes('everything'));
    });
  });
}

describe('changes on postgres', () => {
  it('that only add are reported as replacing while write notices cannot be read', async (t) => {
    const { place, remove } = await freshPlace('postgres');
    const db = await openDatabase(place, () => {});
    const name = new URL(place.databaseUrl!).pathname.slice(1);
    const operator = new pg.Client(Object.assign(new URL(place.databaseUrl!), { pathname: '/postgres' }).href);
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
    await withinTurns(2 * patience, () => (db.receivesForeignWrites ? undefined : true));
    const received: Received[] = [];
    db.onChange((tags) => received.push(tags));
    await db.tx(async (tx) => {
      await addUser(tx, 'added');
      tx.touch('+feed');
    });
    assert.deepEqual(received, [['feed']]);
    await operator.query(`alter database ${name} with allow_connections true`);
  });

  it('are reported as everything after a broken listening connection is detected and replaced', async (t) => {
    const errors: Error[] = [];
    const { place, remove } = await freshPlace('postgres');
    const db = await openDatabase(place, (error) => errors.push(error));
    t.after(async () => {
      await db.close();
      await remove();
    });
    const received: Received[] = [];
    db.onChange((tags) => received.push(tags));

    const operator = new pg.Client(place.databaseUrl);
    await operator.connect();
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await operator.end();

    await withinTurns(patience, () => (db.receivesForeignWrites ? undefined : true));
    await withinTurns(2 * patience, () => (db.receivesForeignWrites ? true : undefined));
    assert.deepEqual(received, ['everything']);
    assert.match(errors[0]!.message, /terminat/);
  });
});

/** Two processes on one PostgreSQL, the first behind a relay. Notices are kept so long that no pause of a busy machine matters. */
async function twoDatabases(t: TestContext, order: (typeof orders)[number], keptMs = 60_000) {
  const { place, remove } = await freshOrdered(order);
  const address = new URL(place.databaseUrl!);
  const relay = await Relay.to(Number(address.port));
  const other = await openPostgres(address.href, () => {}, { ...patientPostgres, keptMs });
  address.port = String(relay.port);
  const db = await openPostgres(address.href, () => {}, { ...patientPostgres, keptMs });
  const operator = new pg.Client(place.databaseUrl);
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
