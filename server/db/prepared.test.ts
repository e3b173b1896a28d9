import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, openFresh } from '../../test/kit/engines.ts';
import { prepared } from './prepared.ts';

const addUser = prepared<{ name: string; now: number }, { id: number }>((db, slot) =>
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
    it(`runs with the parameters of each call, in a transaction and outside, on ${engine}`, async () => {
      await using fresh = await openFresh(engine);
      const add = (name: string, now: number) => fresh.db.tx((tx) => addUser(tx.db, { name, now }));
      const [one] = await add('one', 10);
      await Promise.all([add('two', 20), add('three', 30)]);
      assert.equal(one?.id, 1);

      const names = async (from: number, to: number) =>
        (await createdBetween(fresh.db.read, { from, to })).map(({ username }) => username);
      assert.deepEqual(await names(0, 10), ['one']);
      assert.deepEqual((await names(11, 30)).toSorted(), ['three', 'two']);
      assert.deepEqual(await names(31, 40), []);
      const inside = await fresh.db.tx(async (tx) => {
        await addUser(tx.db, { name: 'four', now: 40 });
        return createdBetween(tx.db, { from: 40, to: 40 });
      });
      assert.equal(inside[0]?.username, 'four');

      const before = builds;
      await names(0, 50);
      assert.equal(builds, before);
    });
  }

  it('is parsed once by each connection to PostgreSQL', async () => {
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
