import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { freshDatabase } from '../../test/kit/postgres.ts';
import { engines, freshStorage, type OpenedDatabase, openFresh, openStorage } from '../../test/kit/engines.ts';
import { createUser } from '../../test/kit/create-user.ts';
import { StorageUnavailable, type Tx } from './database.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { prepared } from './prepared.ts';

let names = 0;
const addUser = (tx: Tx): Promise<number> => {
  const username = `user_${(names += 1)}`;
  return createUser(tx, { username, email: `${username}@example.com`, now: 1 });
};

async function addTo(tx: Tx, userId: number, n: number): Promise<void> {
  await tx.db
    .updateTable('users')
    .set((eb) => ({ posts_count: eb('posts_count', '+', n) }))
    .where('id', '=', userId)
    .execute();
}

const setPosts = prepared<{ id: number; n: number }, never>((db, slot) =>
  db
    .updateTable('users')
    .set({ posts_count: slot('n') })
    .where('id', '=', slot('id')),
);

const addOne = prepared<{ id: number }, never>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({ posts_count: eb('posts_count', '+', 1) }))
    .where('id', '=', slot('id')),
);

const insertUser = prepared<{ id: number }, never>((db, slot) =>
  db.insertInto('users').values({ id: slot('id'), username: 'x', username_key: 'x', email: 'x', created_at: 1 }),
);

for (const engine of engines) {
  describe(`transactions on ${engine}`, () => {
    let opened: OpenedDatabase;
    before(async () => {
      opened = await openFresh(engine);
    });
    after(() => opened.close());

    const countOf = async (userId: number): Promise<number | undefined> => {
      const user = await opened.db.read
        .selectFrom('users')
        .select('posts_count')
        .where('id', '=', userId)
        .executeTakeFirst();
      return user?.posts_count;
    };

    test('return the result of the work, and readers see its writes at once', async () => {
      const id = await opened.db.tx(addUser);
      assert.equal(await countOf(id), 0);
    });

    test('report a failed statement without the row, because errors are logged', async () => {
      const row = { username: 'anna', username_key: null!, email: 'anna@example.com', created_at: 1 };
      const failed = opened.db.tx((tx) => tx.db.insertInto('users').values(row).execute());
      const error = await failed.catch((reason: Error) => reason);
      assert.ok(error instanceof Error);
      assert.doesNotMatch(inspect(error, { showHidden: true, depth: 5 }), /anna@example/);
    });

    const refusal = new Error('not today');
    const isRefusal = (error: unknown): boolean => error === refusal;
    const failures: Array<
      [what: string, work: (tx: Tx, id: number) => Promise<unknown>, error: RegExp | typeof isRefusal]
    > = [
      [
        'the work fails',
        async (tx, id) => {
          await addTo(tx, id, 5);
          throw refusal;
        },
        isRefusal,
      ],
      [
        'a statement fails',
        async (tx, id) => {
          await addTo(tx, id, 5);
          await insertUser(tx.db, { id });
        },
        /unique/i,
      ],
      [
        'a query fails that was sent and not awaited',
        async (tx, id) => {
          await addTo(tx, id, 5);
          tx.send(insertUser(tx.db, { id }), setPosts(tx.db, { id, n: 7 }));
        },
        /unique/i,
      ],
      [
        'the work fails, while a sent query does',
        async (tx, id) => {
          tx.send(setPosts(tx.db, { id, n: 7 }), insertUser(tx.db, { id }));
          throw refusal;
        },
        isRefusal,
      ],
    ];
    for (const [what, work, error] of failures)
      test(`write nothing and reject with the error when ${what}`, async () => {
        const id = await opened.db.tx(addUser);
        await assert.rejects(
          opened.db.tx((tx) => work(tx, id)),
          error,
        );
        assert.equal(await countOf(id), 0);
      });

    test('write what was sent', async () => {
      const id = await opened.db.tx(addUser);
      await opened.db.tx(async (tx) => tx.send(setPosts(tx.db, { id, n: 7 })));
      assert.equal(await countOf(id), 7);
    });

    test('are not affected by a concurrent one that fails', async () => {
      const id = await opened.db.tx(addUser);
      const results = await Promise.allSettled(
        Array.from({ length: 60 }, (_, i) =>
          opened.db.tx(async (tx) => {
            await addTo(tx, id, 1);
            if (i % 3 === 0) throw new Error('refused');
            if (i % 3 === 1) await sql`select * from nowhere`.execute(tx.db);
          }),
        ),
      );
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 20);
      assert.equal(await countOf(id), 20);
    });

    test('keep exact counts when 1,000 of them conflict', async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, () => opened.db.tx(addUser)));
      const expected = new Map(ids.map((id) => [id, 0]));
      const pick = () => ids[Math.floor(Math.random() * ids.length)]!;

      async function client(): Promise<void> {
        for (let i = 0; i < 20; i += 1) {
          // Always in the same order: deadlocks on PostgreSQL have their own test.
          const [first, second] = [pick(), pick()].toSorted((a, b) => a - b) as [number, number];
          const failing = i % 4 === 0;
          const done = opened.db.tx(async (tx) => {
            await addTo(tx, first, 1);
            await addTo(tx, second, 2);
            if (failing) throw new Error('refused');
          });
          await (failing ? assert.rejects(done, /refused/) : done);
          if (failing) continue;
          expected.set(first, expected.get(first)! + 1);
          expected.set(second, expected.get(second)! + 2);
        }
      }
      await Promise.all(Array.from({ length: 50 }, client));

      for (const [id, n] of expected) assert.equal(await countOf(id), n);
    });

    test('enforce foreign keys', async () => {
      const orphan = opened.db.tx(({ db }) =>
        db.insertInto('likes').values({ post_id: 1e9, user_id: 1e9, created_at: 1 }).execute(),
      );
      await assert.rejects(orphan, /foreign key/i);
    });

    test('end before the database closes; later ones are refused', async () => {
      await using fresh = await freshStorage(engine);
      const db = await openStorage(fresh.storage, assert.fail);
      const underWay = Array.from({ length: 200 }, () => db.tx(addUser));
      const closed = db.close();
      await assert.rejects(db.tx(addUser), StorageUnavailable);
      const ids = await Promise.all(underWay);
      await closed;

      const again = await openStorage(fresh.storage, assert.fail);
      const users = await again.read.selectFrom('users').select('id').orderBy('id').execute();
      assert.deepEqual(
        users.map(({ id }) => id),
        ids.toSorted((a, b) => a - b),
      );
      await again.close();
    });
  });
}

describe('transactions on postgres', () => {
  for (const how of ['awaited', 'sent'])
    test(`both succeed after a deadlock of queries that are ${how}`, async () => {
      await using fresh = await openFresh('postgres');
      const [a, b] = await Promise.all([fresh.db.tx(addUser), fresh.db.tx(addUser)]);
      let attempts = 0;
      const bothHold = Promise.withResolvers<void>();
      const crosswise = (first: number, second: number) =>
        fresh.db.tx(async (tx) => {
          await addTo(tx, first, 1);
          attempts += 1;
          if (attempts === 2) bothHold.resolve();
          await bothHold.promise;
          if (how === 'awaited') await addTo(tx, second, 1);
          else tx.send(addOne(tx.db, { id: second }));
        });
      await Promise.all([crosswise(a, b), crosswise(b, a)]);
      assert.ok(attempts >= 3);
      assert.partialDeepStrictEqual(fresh.db.vitals(), { engine: 'postgres', repeats: attempts - 2 });
      const counts = await fresh.db.read.selectFrom('users').select('posts_count').execute();
      assert.deepEqual(counts, [{ posts_count: 2 }, { posts_count: 2 }]);
    });

  test('fail as unavailable when their connection breaks; the next one succeeds', async () => {
    await using fresh = await openFresh('postgres');
    const breakOwnConnection = fresh.db.tx(async (tx) => {
      await addUser(tx);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx.db);
    });
    await assert.rejects(breakOwnConnection, StorageUnavailable);
    await fresh.db.tx(addUser);
    const { n } = await fresh.db.read
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    assert.equal(n, 1);
  });

  test('find a connection that the start has waited for, however short they may wait', async () => {
    const { url, drop } = await freshDatabase();
    const unused = await openPostgres(url, assert.fail);
    await unused.close();
    const db = await openPostgres(url, assert.fail, { connectionMs: 1 });
    await db.tx(addUser);
    await db.close();
    await drop();
  });

  test('fail with the query and with who blocks it when PostgreSQL stops it', async () => {
    const { url, drop } = await freshDatabase();
    const db = await openPostgres(url, assert.fail, { statementMs: 3_000 });
    const id = await db.tx(addUser);
    const holder = new pg.Client({ connectionString: url, application_name: 'psql' });
    await holder.connect();
    await holder.query('begin');
    await holder.query('update users set posts_count = 7 where id = $1', [id]);
    await assert.rejects(
      db.tx((tx) => addTo(tx, id, 1)),
      (error: Error) => {
        assert.ok(error instanceof StorageUnavailable);
        const by = 'process \\d+ \\(psql, \\w+, idle in transaction, in a transaction for \\d+ s\\)';
        assert.match(
          error.message,
          new RegExp(`^PostgreSQL has stopped a query after \\d+\\.\\d s, blocked by ${by}: update "users"`),
        );
        return true;
      },
    );
    await holder.end();
    await db.tx((tx) => addTo(tx, id, 1));
    await db.close();
    await drop();
  });

  test('accept no query after their end', async () => {
    await using fresh = await openFresh('postgres');
    const id = await fresh.db.tx(addUser);
    const ended = await fresh.db.tx(async (tx) => {
      await setPosts(tx.db, { id, n: 1 });
      return tx.db;
    });
    await assert.rejects(() => setPosts(ended, { id, n: 7 }), /has ended/);
    const [user] = await fresh.db.read.selectFrom('users').select('posts_count').execute();
    assert.equal(user!.posts_count, 1);
  });
});

const insertOne = prepared<{ name: string; now: number }, { id: number }>((db, slot) =>
  db
    .insertInto('users')
    .values({
      username: slot('name'),
      username_key: slot('name'),
      email: slot('name'),
      created_at: slot('now'),
    })
    .returning('id'),
);

let builds = 0;
const createdBetween = prepared<{ from: number; to: number }, { username: string }>((db, slot) => {
  builds += 1;
  return db
    .selectFrom('users')
    .select('username')
    .where('created_at', '>=', slot('from'))
    .where('created_at', '<=', slot('to'))
    .where('likes_count', '=', 0)
    .orderBy('id');
});

describe('a prepared query', () => {
  for (const engine of engines) {
    test(`runs with the parameters of each call, in a transaction and outside, on ${engine}`, async () => {
      await using fresh = await openFresh(engine);
      const add = (name: string, now: number) => fresh.db.tx((tx) => insertOne(tx.db, { name, now }));
      const [one] = await add('one', 10);
      await Promise.all([add('two', 20), add('three', 30)]);
      assert.equal(one?.id, 1);

      const namesOf = async (from: number, to: number) =>
        (await createdBetween(fresh.db.read, { from, to })).map(({ username }) => username);
      assert.deepEqual(await namesOf(0, 10), ['one']);
      assert.deepEqual((await namesOf(11, 30)).toSorted(), ['three', 'two']);
      assert.deepEqual(await namesOf(31, 40), []);
      const inside = await fresh.db.tx(async (tx) => {
        await insertOne(tx.db, { name: 'four', now: 40 });
        return createdBetween(tx.db, { from: 40, to: 40 });
      });
      assert.equal(inside[0]?.username, 'four');

      const earlier = builds;
      await namesOf(0, 50);
      assert.equal(builds, earlier);
    });
  }

  test('is parsed once by each connection to PostgreSQL', async () => {
    await using fresh = await openFresh('postgres');
    const known = await fresh.db.tx(async (tx) => {
      for (let now = 0; now < 3; now += 1) await createdBetween(tx.db, { from: now, to: now });
      const { rows } = await sql<{ calls: number }>`
        select generic_plans + custom_plans as calls from pg_prepared_statements where statement like '%created_at%'
      `.execute(tx.db);
      return rows;
    });
    assert.deepEqual(known, [{ calls: 3 }]);
  });
});
