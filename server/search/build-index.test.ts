import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createUser } from '../../test/kit/create-user.ts';
import { type Engine, engines, freshStorage, openFresh, openStorage } from '../../test/kit/engines.ts';
import { runJobs } from '../../test/kit/run-jobs.ts';
import { startServer } from '../../test/kit/server-process.ts';
import { openWall, type Wall, wallOver } from '../../test/kit/wall.ts';
import { recount } from '../commands/verify-data/recount.ts';
import type { Database } from '../db/database.ts';
import { changeState, restorePost } from '../features/posts/post-states.ts';
import { changeText, createPost, lockPost } from '../features/posts/post-writes.ts';
import { buildIndex, verifyIndex } from './build-index.ts';
import { addToIndex, lexemeIn, sectionSizes } from './post-words.ts';
import { findMatches } from './matches.ts';
import { stemOf } from '#contract/lexemes.ts';

/** Makes a wall as one that was written before there was an index. */
async function loseIndex(db: Database): Promise<void> {
  await db.tx(async (tx) => {
    await tx.db.deleteFrom('search_index').execute();
    const clear = sql`insert into post_words (post_words) values ('delete-all')`;
    await (db.engine === 'sqlite' ? clear : sql`delete from post_words`).execute(tx.db);
  });
}

const reachOf = async ({ read }: Database): Promise<number | undefined> =>
  (await read.selectFrom('search_index').select('indexed_from').executeTakeFirst())?.indexed_from;

async function found(wall: Wall, word: string): Promise<number> {
  const query = new URLSearchParams({ q: word, limit: '50' });
  return (await wall.get(`/api/v1/posts/search?${query}`)).json.posts.length;
}

const differences = (db: Database): Promise<unknown[]> => Array.fromAsync(recount(db.read));

async function wallWithoutIndex(engine: Engine, posts: number): Promise<Wall> {
  const wall = await openWall(engine, { RATE_LIMITS: 'off' });
  const author = await wall.person('anna_');
  await wall.db.tx(async (tx) => {
    for (let i = 0; i < posts; i += 1) await createPost(tx, { userId: author, text: `запись ${i}`, now: 0 });
  });
  await loseIndex(wall.db);
  return wall;
}

for (const engine of engines) {
  describe(`a wall without an index on ${engine}`, () => {
    test('is indexed by a job, with everything that is written meanwhile', async () => {
      await using wall = await wallWithoutIndex(engine, 250);
      assert.equal(await found(wall, 'запись'), 0);
      // The first transaction finds where to begin, the second indexes a batch.
      let batches = 0;
      const stop = new AbortController();
      const tx: Database['tx'] = async (work) => {
        const result = await wall.db.tx(work);
        batches += 1;
        if (batches === 2) stop.abort();
        return result;
      };
      await assert.rejects(buildIndex(wall.db.read, { signal: stop.signal, tx }));
      assert.equal(await reachOf(wall.db), 151);
      for (const id of [10, 200]) await wall.remove(id);
      await wall.post(1, 'новая запись');
      assert.deepEqual(await differences(wall.db), []);
      await runJobs(wall.db, wall.clock.now);
      assert.equal(await reachOf(wall.db), 0);
      assert.deepEqual(await differences(wall.db), []);
      assert.equal(await found(wall, 'запись'), 50);
      assert.equal(await found(wall, '9'), 0);
    });

    test('is indexed anew when the rules for words have changed', async () => {
      await using wall = await wallWithoutIndex(engine, 3);
      const old = lexemeIn(0, stemOf('древние'));
      await wall.db.tx(async (tx) => {
        await tx.db.insertInto('search_index').values({ version: 0, indexed_from: 0 }).execute();
        const onSqlite = sql`insert into post_words (rowid, words) values (1, ${old})`;
        const onPostgres = sql`insert into post_words values (1, array_to_tsvector(array[${old}]))`;
        await (engine === 'sqlite' ? onSqlite : onPostgres).execute(tx.db);
      });
      assert.equal(await found(wall, 'древние'), 1);
      const stop = new AbortController();
      const tx: Database['tx'] = (work) => wall.db.tx(work).finally(() => stop.abort());
      await assert.rejects(buildIndex(wall.db.read, { signal: stop.signal, tx }));
      assert.equal(await found(wall, 'древние'), 0);
      await wall.post(1, 'запись во время обновления');
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await differences(wall.db), []);
      assert.equal(await found(wall, 'запись'), 4);
    });

    test('is indexed while serving, and further after a kill', async () => {
      const posts = 4_000;
      await using fresh = await freshStorage(engine);
      await using stack = new AsyncDisposableStack();
      const db = await openStorage(fresh.storage);
      stack.defer(() => db.close());
      await db.tx(async (tx) => {
        const author = await createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 });
        const rows = Array.from({ length: 250 }, (_, i) => ({ user_id: author, text: `запись ${i}`, created_at: 0 }));
        for (let i = 0; i < posts; i += 250) await tx.db.insertInto('all_posts').values(rows).execute();
      });
      // On a busy machine the index may be complete before the kill, so the attempt is repeated.
      for (let reached = 0; reached === 0; reached = (await reachOf(db))!) {
        await loseIndex(db);
        const first = await startServer(fresh.storage);
        while (((await reachOf(db)) ?? Infinity) > posts - 200) await sleep(20);
        await first.stop('SIGKILL');
      }
      await using wall = await wallOver(db);
      assert.equal(await found(wall, 'запись'), 50);
      // The lock of the killed process ends after a minute, so this time is later. With an earlier clock, the runner of the wall would take over the job.
      wall.clock.now = Math.floor(Date.now() / 1_000) + 200;
      await runJobs(db, wall.clock.now);
      assert.equal(await reachOf(db), 0);
      assert.deepEqual(await Array.fromAsync(verifyIndex(db.read)), []);
    });
  });
}

describe('the index after posts were published, changed and withdrawn in one commit', () => {
  const words = fc.constantFrom('кот', 'дом кот', 'лес', 'дом лес кот');
  const act = fc.record({ kind: fc.constantFrom('publish', 'change', 'withdraw'), id: fc.nat(3), words });

  for (const engine of engines) {
    test(`is that of the texts, on ${engine}`, async () => {
      await using opened = await openFresh(engine);
      const { db } = opened;
      const author = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 }));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(act, { maxLength: 8 }), { maxLength: 3 }), async (commits) => {
          const ids: number[] = [];
          for (const acts of commits) {
            await Promise.all(
              acts.map(({ kind, id, words: text }) =>
                db.tx(async (tx) => {
                  const chosen = ids.at(-1 - id);
                  if (kind === 'publish' || chosen === undefined) {
                    ids.push(await createPost(tx, { userId: author, text, now: 0 }));
                    return;
                  }
                  const post = await lockPost(tx, chosen);
                  if (!post) await restorePost(tx, chosen, 0, () => true);
                  else if (kind === 'change') await changeText(tx, post, text, 0);
                  else await changeState(tx, post, { to: 'deleted' }, 0);
                }),
              ),
            );
          }
          assert.deepEqual(await Array.fromAsync(verifyIndex(db.read)), []);
        }),
        { numRuns: engine === 'sqlite' ? 100 : 15 },
      );
    });
  }
});

test('an index on SQLite that lacks a deleted post is built anew, and the server goes on', async () => {
  await using wall = await openWall('sqlite', { RATE_LIMITS: 'off' });
  const author = await wall.person('anna_');
  const row = { user_id: author, text: 'запись мимо указателя', created_at: 1 };
  await wall.db.tx(({ db }) =>
    db
      .insertInto('all_posts')
      .values(Array.from({ length: 30 }, () => row))
      .execute(),
  );
  const writes = Array.from({ length: 30 }, (_, i) =>
    i % 3 === 0 ? wall.remove(i + 1) : wall.post(author, `ещё ${i}`),
  );
  await Promise.all(writes);
  wall.clock.now += 61;
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await Array.fromAsync(verifyIndex(wall.db.read)), []);
  assert.deepEqual([await found(wall, 'запись'), await found(wall, 'ещё')], [20, 20]);
});

for (const engine of engines) {
  test(`finds posts of all sections of ids, newest first, on ${engine}`, async () => {
    await using opened = await openFresh(engine);
    const { db } = opened;
    const sectionSize = sectionSizes[engine];
    const ids = [5, sectionSize - 1, sectionSize, 3 * sectionSize, 5 * sectionSize + 7, 6 * sectionSize];
    await db.tx(async (tx) => {
      const author = await createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 });
      for (const id of ids) addToIndex(tx, { id, user_id: author, text: 'ёлка' });
    });
    const lexemes = [stemOf('елки')];
    const find = (from: number, before: number, limit: number) =>
      findMatches(db.read, engine, lexemes, { from, before, limit });
    assert.deepEqual(await find(0, 7 * sectionSize, 10), ids.toReversed());
    assert.deepEqual(await find(0, 25 * sectionSize, 10), ids.toReversed());
    assert.deepEqual(await find(0, 100 * sectionSize, 4), ids.toReversed().slice(0, 4));
    assert.deepEqual(await find(2 * sectionSize, 100 * sectionSize, 10), ids.slice(3).toReversed());
    assert.deepEqual(await find(0, 6 * sectionSize, 3), [5 * sectionSize + 7, 3 * sectionSize, sectionSize]);
    assert.deepEqual(await find(sectionSize, 3 * sectionSize + 1, 10), [3 * sectionSize, sectionSize]);
    assert.deepEqual(await find(sectionSize, sectionSize + 1, 10), [sectionSize]);
    assert.deepEqual(await find(6, 8, 10), []);
  });
}
