import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { freshStorage, openFresh, openStorage } from '../../../test/kit/engines.ts';
import { deleteAccount, publish, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { wallOver } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';
import { likePost } from '../../features/posts/likes.ts';
import { createPost, createReply } from '../../features/posts/post-writes.ts';
import { openSession } from '../../features/sessions/session-store.ts';
import { storedTables } from '../../features/account/stored-tables.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { isInFiles, leavesFiles, runJobs } from '../../../test/kit/run-jobs.ts';
import { removeExpired } from './wall-jobs.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';

/** A person has twice this number of posts and three times this number of likes. Both are more than one batch. */
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

/** The rows of a person in some tables, and the counts stored with the account. */
async function leftOf({ read }: Database, id: number): Promise<number[]> {
  const tables = ['posts', 'likes', 'sessions', 'known_devices', 'operations'] as const;
  const rows = await Promise.all(
    tables.map((table) => read.selectFrom(table).select('user_id').where('user_id', '=', id).execute()),
  );
  const counts = read.selectFrom('users').select(['posts_count', 'replies_count', 'likes_count']).where('id', '=', id);
  return [...rows.map(({ length }) => length), ...Object.values(await counts.executeTakeFirstOrThrow())];
}

const none = Array.from({ length: 8 }, () => 0);

/** Every value of every row, but for the words that a search finds: SQLite cannot list them. */
async function everything(db: Database): Promise<string> {
  const tables = Object.keys(storedTables).filter((name) => !['post_words', 'announcements'].includes(name));
  const rows = await Promise.all(tables.map((table) => sql`select * from ${sql.table(table)}`.execute(db.read)));
  return JSON.stringify(rows.map((result) => result.rows));
}

const onWall = onWalls({}, 'clearing deleted accounts');

onWall('removes all their rows and nothing else, and leaves exact counts', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  await writeMuch(wall.db, Number(anna.id), Number(boris.id), wall.clock.now);
  await runJobs(wall.db, wall.clock.now);
  assert.equal((await leftOf(wall.db, Number(anna.id)))[0], 2 * many, 'other accounts keep everything');

  wall.clock.now += 61;
  await deleteAccount(wall, anna);
  await runJobs(wall.db, wall.clock.now);
  assert.deepEqual(await leftOf(wall.db, Number(anna.id)), none);
  assert.deepEqual(await differences(wall.db), []);
  assert.equal((await wall.get('/api/v1/posts')).json.total, many);
  assert.equal((await boris.send('GET', '/posts/replies')).json().total, many, 'replies to deleted posts stay');
  assert.equal((await boris.send('GET', '/posts?filter=liked')).json().total, 0);
  const { posts } = (await wall.get(`/api/v1/posts?userId=${boris.id}&limit=50`)).json;
  for (const { actions } of posts) assert.deepEqual([actions.likes_count, actions.replies_count], [0, 0]);
});

onWall('a post that comes back tells only those who are still there', async (wall) => {
  const [anna, boris, clara] = [await register(wall), await register(wall), await register(wall)];
  const { id } = await publish(boris, `@${anna.username} и @${clara.username}, смотрите`);
  await removePost(wall, id);
  await runJobs(wall.db, wall.clock.now);
  await deleteAccount(wall, anna);
  await runJobs(wall.db, (wall.clock.now += 61));
  await restore(wall, id);
  await runJobs(wall.db, wall.clock.now);
  const told = await wall.db.read.selectFrom('notifications').select('user_id').execute();
  assert.deepEqual(told, [{ user_id: Number(clara.id) }]);
  assert.deepEqual(await differences(wall.db), []);
});

onWall('waits for requests that were admitted before the deletion', async (wall) => {
  const anna = await register(wall);
  const id = Number(anna.id);
  wall.clock.now += 61;
  await deleteAccount(wall, anna);
  await runJobs(wall.db, wall.clock.now);
  await wall.db.tx((tx) => createPost(tx, { userId: id, text: 'в последний миг', now: wall.clock.now }));
  const late = { userId: id, cookieHash: 'late', clientToken: 'late', device: '{}', now: wall.clock.now };
  await wall.db.tx((tx) => openSession(tx, late));
  await runJobs(wall.db, wall.clock.now + 60);
  assert.deepEqual(await leftOf(wall.db, id), none);
  assert.deepEqual(await differences(wall.db), []);
  const cleared = wall.db.read.selectFrom('users').select('cleared_at').where('id', '=', id);
  assert.deepEqual(await cleared.execute(), [{ cleared_at: wall.clock.now + 60 }]);
});

onWall('leaves no trace of the address once the last mail and limit are past', async (wall) => {
  const anna = await register(wall);
  wall.clock.now += 61;
  await deleteAccount(wall, anna);
  await wall.mail.mailTo(anna.email, ({ text }) => text.includes('удалена'));
  await runJobs(wall.db, wall.clock.now);
  // A notice is retried for a day, and its row is removed an hour later.
  await removeExpired(wall.db, wall.clock.now + 25 * 3_600 + 1);
  assert.ok(!(await everything(wall.db)).includes(anna.email));
});

test('the texts of a deleted account leave the files of SQLite', async () => {
  await using fresh = await openFresh('sqlite');
  await using wall = await wallOver(fresh.db);
  const anna = await register(wall);
  const text = 'то, чего больше нет';
  await publish(anna, text);
  wall.clock.now += 61;
  await deleteAccount(wall, anna);
  assert.ok(await isInFiles(fresh.storage, text));
  assert.ok(await leavesFiles(wall, fresh.storage, text));
});

test('two processes can clear concurrently on PostgreSQL', async (t) => {
  const fresh = await freshStorage('postgres');
  const first = await openStorage(fresh.storage);
  const second = await openStorage(fresh.storage);
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
  for (const { id } of [anna, clara]) assert.deepEqual(await leftOf(first, Number(id)), none);
  assert.deepEqual(await differences(first), []);
});

const day = 24 * 3_600;

onWalls()('a browser is forgotten by the account that no longer signs in there, not by the other', async (wall) => {
  const browser = openBrowser(wall);
  const [anna, boris] = [newAddress(), newAddress()];
  const enter = async (purpose: 'registrations' | 'logins', email: string): Promise<void> => {
    // The token of the last sign-in has expired.
    browser.token = undefined;
    assert.equal((await browser.enter(purpose, email)).statusCode, 200);
  };
  const warnings = (email: string): number =>
    wall.mail.received.filter(({ to, text }) => to.includes(email) && text.includes('с нового устройства')).length;
  await enter('registrations', anna);
  wall.clock.now += 399 * day;
  await enter('registrations', boris);
  wall.clock.now += 2 * day;
  await removeExpired(wall.db, wall.clock.now);
  await enter('logins', boris);
  await enter('logins', anna);
  await wall.mail.mailTo(anna, ({ text }) => text.includes('с нового устройства'));
  assert.deepEqual([anna, boris].map(warnings), [1, 0]);
});
