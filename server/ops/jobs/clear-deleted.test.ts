import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { engines, freshPlace, openFresh, openPlace } from '../../../test/kit/engines.ts';
import { isInFiles, leavesFiles } from '../../../test/kit/left-in-files.ts';
import { deleteAccount, publish, register } from '../../../test/kit/member.ts';
import { openWall, wallOver } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';
import { likePost } from '../../features/posts/likes.ts';
import { createPost, createReply } from '../../features/posts/writes.ts';
import { openSession } from '../../features/sessions/store.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { removeExpired } from './remove-expired.ts';

/** Twice as many posts, and three times as many likes, are more than one batch. */
const many = 26;

/** Two people with many posts, replies to each other and likes of each other's posts. */
async function writeMuch(db: Database, userId: number, otherId: number, now: number): Promise<void> {
  await db.tx(async (tx) => {
    for (let i = 0; i < many; i += 1) {
      const own = await createPost(tx, { userId, text: `моя ${i}`, now });
      const other = await createPost(tx, { userId: otherId, text: `чужая ${i}`, now });
      const reply = await createReply(tx, other, { userId, text: `мой ответ ${i}`, now });
      const received = await createReply(tx, own, { userId: otherId, text: `чужой ответ ${i}`, now });
      const likes = [
        { postId: other, userId },
        { postId: own, userId },
        { postId: own, userId: otherId },
        { postId: reply!, userId: otherId },
        { postId: received!, userId },
      ];
      for (const like of likes) await likePost(tx, { ...like, now });
    }
  });
}

async function differences(db: Database): Promise<unknown[]> {
  const found = [];
  for await (const difference of recount(db.read)) found.push(difference);
  return found;
}

async function leftOf(db: Database, userId: number): Promise<number[]> {
  const tables = ['posts', 'likes', 'sessions', 'known_devices', 'operations'] as const;
  return Promise.all(
    tables.map(
      async (table) =>
        (await db.read.selectFrom(table).select('user_id').where('user_id', '=', userId).execute()).length,
    ),
  );
}

/** The counts stored with the account. */
async function storedCountsOf(db: Database, userId: number): Promise<number[]> {
  const user = await db.read
    .selectFrom('users')
    .select(['posts_count', 'replies_count', 'likes_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return [user.posts_count, user.replies_count, user.likes_count];
}

/** Every value of every row. */
async function everything(db: Database): Promise<string> {
  const tables = [
    'users',
    'posts',
    'likes',
    'changes',
    'idempotency_keys',
    'reports',
    'operations',
    'outbox',
    'sessions',
    'known_devices',
    'budgets',
  ] as const;
  const rows = await Promise.all(tables.map((table) => sql`select * from ${sql.table(table)}`.execute(db.read)));
  return JSON.stringify(rows.map((result) => result.rows));
}

for (const engine of engines) {
  describe(`clearing deleted accounts on ${engine}`, () => {
    test('removes all their rows and nothing else, and leaves exact counts', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      await writeMuch(wall.db, Number(anna.id), Number(boris.id), wall.clock.now);
      await runJobs(wall.db, wall.clock.now);
      assert.equal((await leftOf(wall.db, Number(anna.id)))[0], 2 * many, 'other accounts keep everything');

      wall.clock.now += 61;
      await deleteAccount(wall, anna);
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await leftOf(wall.db, Number(anna.id)), [0, 0, 0, 0, 0]);
      assert.deepEqual(await differences(wall.db), []);
      assert.equal((await wall.get('/api/v1/posts')).json.total, many);
      assert.equal((await boris.send('GET', '/posts/replies')).json().total, many, 'replies to deleted posts stay');
      assert.equal((await boris.send('GET', '/posts?filter=liked')).json().total, 0);
      const { posts } = (await wall.get(`/api/v1/posts?userId=${boris.id}&limit=50`)).json;
      for (const { actions } of posts) assert.deepEqual([actions.likes_count, actions.replies_count], [0, 0]);
      assert.deepEqual(await storedCountsOf(wall.db, Number(anna.id)), [0, 0, 0]);
    });

    test('waits for requests that were admitted before the deletion', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const id = Number(anna.id);
      wall.clock.now += 61;
      await deleteAccount(wall, anna);
      await runJobs(wall.db, wall.clock.now);
      await wall.db.tx((tx) => createPost(tx, { userId: id, text: 'в последний миг', now: wall.clock.now }));
      const late = { userId: id, cookieHash: 'late', clientToken: 'late', device: '{}', now: wall.clock.now };
      await wall.db.tx((tx) => openSession(tx, late));
      await runJobs(wall.db, wall.clock.now + 60);
      assert.deepEqual(await leftOf(wall.db, id), [0, 0, 0, 0, 0]);
      assert.deepEqual(await differences(wall.db), []);
      const { cleared_at: clearedAt } = await wall.db.read
        .selectFrom('users')
        .select('cleared_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      assert.equal(clearedAt, wall.clock.now + 60);
    });

    test('leaves no trace of the address once the last mail and limit are past', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      wall.clock.now += 61;
      await deleteAccount(wall, anna);
      await wall.mail.mailTo(anna.email, ({ text }) => text.includes('удалена'));
      await runJobs(wall.db, wall.clock.now);
      // A notice is retried for a day, and its row is removed an hour later.
      await removeExpired(wall.db, wall.clock.now + 25 * 3_600 + 1);
      assert.ok(!(await everything(wall.db)).includes(anna.email));
    });
  });
}

test('the texts of a deleted account leave the files of SQLite', async () => {
  await using fresh = await openFresh('sqlite');
  await using wall = await wallOver(fresh.db);
  const anna = await register(wall);
  const text = 'то, чего больше нет';
  await publish(anna, text);
  wall.clock.now += 61;
  await deleteAccount(wall, anna);
  assert.ok(await isInFiles(fresh.place, text));
  assert.ok(await leavesFiles(wall, fresh.place, text));
});

test('two processes can clear concurrently on PostgreSQL', async (t) => {
  const fresh = await freshPlace('postgres');
  const first = await openPlace(fresh.place);
  const second = await openPlace(fresh.place);
  const wall = await wallOver(first);
  t.after(async () => {
    await wall.close();
    await Promise.all([first.close(), second.close()]);
    await fresh.remove();
  });
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  await writeMuch(first, Number(anna.id), Number(boris.id), wall.clock.now);
  await writeMuch(first, Number(clara.id), Number(anna.id), wall.clock.now);
  wall.clock.now += 61;
  await Promise.all([deleteAccount(wall, anna), deleteAccount(wall, clara)]);
  await Promise.all([first, second, first].map((db) => runJobs(db, wall.clock.now)));
  for (const { id } of [anna, clara]) assert.deepEqual(await leftOf(first, Number(id)), [0, 0, 0, 0, 0]);
  assert.deepEqual(await differences(first), []);
});
