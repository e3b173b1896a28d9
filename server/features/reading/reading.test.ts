import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, outcome, publish, register, signInElsewhere } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { keptThreads } from './rules.ts';

const path = '/users/current/reading';

const wallOf = (engine: Engine): Promise<Wall> => openWall(engine, { RATE_LIMITS: 'off' });

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

for (const engine of engines) {
  describe(`reading positions on ${engine}`, () => {
    test('are where a person has read furthest on any device, in the feed and in each discussion', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const phone = await signInElsewhere(wall, anna);
      // Ids of one and of two digits: the furthest is the largest number.
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
      assert.equal((await wall.get(`/api/v1${path}`)).status, 401);
    });

    test('may be a deleted post, but no post that has not been there yet', async () => {
      await using wall = await wallOf(engine);
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

    test('are kept for the last thousand discussions', async () => {
      await using wall = await wallOf(engine);
      const anna = await register(wall);
      const ids = await publishMany(anna, 3);
      const userId = Number(anna.id);
      const old = Array.from({ length: keptThreads }, (_, i) => ({
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
      assert.equal((await kept()).length, keptThreads + 1, 'the feed is not a discussion');
      for (const id of ids) await read(anna, id, `thread:${id}`);
      const lists = await kept();
      assert.deepEqual(lists.slice(0, 4), [0, ...ids.map(Number)]);
      assert.equal(lists.length, 1 + keptThreads);
      assert.equal(lists.at(-1), 1_000_000 + keptThreads - 1 - ids.length);
    });

    test('are removed with the account', async () => {
      await using wall = await wallOf(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const [id] = (await publishMany(boris, 1)) as [string];
      for (const person of [anna, boris]) await read(person, id);
      await read(anna, id, `thread:${id}`);
      wall.clock.now += 61;
      await deleteAccount(wall, anna);
      await runJobs(wall.db, wall.clock.now + 60);
      const left = await wall.db.read.selectFrom('reading_positions').select('user_id').execute();
      assert.deepEqual(left, [{ user_id: Number(boris.id) }]);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
      const kept = { user_id: Number(anna.id), list: 0, post_id: Number(id), updated_at: 1 };
      await wall.db.tx(({ db }) => db.insertInto('reading_positions').values(kept).execute());
      const found = { what: 'reading_positions of deleted accounts', id: Number(anna.id), stored: 1, counted: 0 };
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), [found]);
    });
  });
}
