import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { fillWall } from '../../demo/fill.ts';
import { recount } from '../../server/commands/verify-data/recount.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { createPost } from '../../server/features/posts/writes.ts';
import { engines, freshPlace, type Place } from '../kit/engines.ts';
import { multiplyWall } from './multiply-wall.ts';

const posts = 1_000;
const copies = 4;
const until = 1_800_000_000;

/** The first ones: to compare thousands with none takes gigabytes. */
const differences = async ({ read }: Database): Promise<unknown[]> =>
  (await Array.fromAsync(recount(read))).slice(0, 10);

const open = (place: Place) => openDatabase(place, assert.fail);

for (const engine of engines) {
  describe(`a multiplied wall on ${engine}`, () => {
    it('is right in all its counts and words, goes on in time, and can be written to', async () => {
      await using fresh = await freshPlace(engine);
      const { place } = fresh;
      const demo = await open(place);
      const filled = await fillWall(demo, { posts, until, seed: 1 }, () => {});
      const { lifts } = await demo.read
        .selectFrom('lifts')
        .select(({ fn }) => fn.countAll<number>().as('lifts'))
        .executeTakeFirstOrThrow();
      assert.ok(lifts > 0);
      await demo.close();

      await multiplyWall(place, copies, () => {});

      const db = await open(place);
      const numbers = async (query: string): Promise<Record<string, number>> =>
        (await sql.raw<Record<string, number>>(query).execute(db.read)).rows[0]!;
      assert.deepEqual(await differences(db), []);
      const rows = await numbers(
        `select (select count(*) from posts) as posts, (select count(*) from likes) as likes,
           (select count(*) from posts where replied_post_id is not null) as replies,
           (select sum(n) from feed_counts where span = 20) as counted, (select count(*) from lifts) as lifts`,
      );
      assert.deepEqual(
        Object.values(rows).map(Number),
        [posts, filled.likes, filled.replies, posts - filled.replies, lifts].map((n) => n * copies),
      );
      assert.deepEqual(await numbers('select max(id) as last, max(created_at) as newest from posts'), {
        last: posts * copies,
        newest: (await numbers(`select created_at from posts where id = ${posts * copies}`))['created_at'],
      });
      const { n: backward } = await numbers(
        'select count(*) as n from posts p join posts q on q.id = p.id + 1 where q.created_at < p.created_at',
      );
      assert.equal(Number(backward), 0);
      assert.equal(await db.tx((tx) => createPost(tx, { userId: 1, text: 'Привет!', now: until })), posts * copies + 1);
      assert.deepEqual(await differences(db), []);
      await db.close();
    });
  });
}
