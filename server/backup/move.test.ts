import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { runAdmin } from '../../test/admin-process.ts';
import { done, refused } from '../../test/backup-process.ts';
import { type Engine, freshPlace, type Place } from '../../test/engines.ts';
import { startServer } from '../../test/server-process.ts';
import { createUser } from '../account/store.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { createPost, createReply, deletePost, likePost, takePost } from '../posts/writes.ts';
import { makeSecrets } from '../secrets.ts';
import { issueToken } from '../sessions/rules.ts';
import { openSession } from '../sessions/store.ts';
import { recount } from '../verify-data/recount.ts';

const now = Math.floor(Date.now() / 1_000);
const SECRET = 'one secret for all the processes of a test';

async function fresh(t: TestContext, engine: Engine): Promise<Place> {
  const { place, remove } = await freshPlace(engine);
  t.after(remove);
  return place;
}

/** A wall with something in it of every kind; resolves to a session of its first person. */
async function inhabit(place: Place): Promise<number> {
  const db = await openDatabase(place, assert.fail);
  const person = (username: string) =>
    db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now }));
  const [anna, boris] = [await person('anna_'), await person('boris')];
  const text = 'Тихо: \\"кавычки\\", \t знак 🦔 и\nстрока; \u2028 e\u0301';
  const first = await db.tx((tx) => createPost(tx, { userId: anna, text, now }));
  // More than are moved at a time.
  await db.tx(async (tx) => {
    for (let i = 0; i < 5_100; i += 1) await createPost(tx, { userId: boris, text: `запись ${i}`, now });
  });
  await db.tx((tx) => createReply(tx, first, { userId: boris, text: 'ответ', now }));
  await db.tx((tx) => likePost(tx, { postId: first, userId: boris, now }));
  const last = await db.tx((tx) => createPost(tx, { userId: boris, text: 'последняя', now }));
  await db.tx(async (tx) => deletePost(tx, (await takePost(tx, last))!, now));
  const session = { userId: anna, cookieHash: 'of anna', clientToken: 'a', device: '{"os":"Linux"}', now };
  const sessionId = await db.tx((tx) => openSession(tx, session));
  await db.close();
  await administer(place, 'hide', '2', '--reason', 'не по правилам');
  await administer(place, 'invite', '--reason', 'соседям');
  return sessionId;
}

async function administer(place: Place, ...args: string[]): Promise<void> {
  const { code, errors } = await runAdmin(place, ...args);
  assert.equal(code, 0, errors);
}

async function rowsOf({ read }: Database, table: string): Promise<string[]> {
  const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(read);
  return rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted();
}

test('a wall on SQLite moves to PostgreSQL with all it has', { timeout: 60_000 }, async (t) => {
  const old = await fresh(t, 'sqlite');
  const anew = await fresh(t, 'postgres');
  const sessionId = await inhabit(old);
  const file = join(old.dataDir, 'wall.backup');
  await done(old, 'backup', file);
  assert.match(await done(anew, 'restore', file), /^Стена восстановлена из [^\n]+\n$/);
  assert.match(await refused(anew, ['restore', file]), /^Здесь уже есть стена: .*--replace$/m);

  const [before, after] = [await openDatabase(old, assert.fail), await openDatabase(anew, assert.fail)];
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not in ('migrations', 'changes', 'sqlite_sequence')
  `.execute(before.read);
  assert.ok(tables.length >= 17);
  let filled = 0;
  for (const { name } of tables) {
    const rows = await rowsOf(after, name);
    assert.deepEqual(rows, await rowsOf(before, name), name);
    if (rows.length > 0) filled += 1;
  }
  assert.ok(filled >= 9, `${filled} tables with rows`);
  assert.deepEqual(await Array.fromAsync(recount(after.read)), []);
  const next = (db: Database) => db.tx((tx) => createPost(tx, { userId: 1, text: 'следующая', now }));
  assert.equal(await next(after), await next(before), 'an id is given once, wherever');
  await Promise.all([before.close(), after.close()]);

  const server = await startServer(anew, { SECRET, LOG_LEVEL: 'error' });
  t.after(() => server.stop());
  const { token } = issueToken(makeSecrets(SECRET), sessionId, now + 600);
  const headers = { authorization: `Bearer ${token}` };
  const self = (await (await fetch(`${server.address}/api/v1/users/current`, { headers })).json()) as object;
  assert.deepEqual(self, { id: '1', username: 'anna_', email: 'anna_@example.org' });
});

test('a wall that cannot move leaves the database as it was', async (t) => {
  const old = await fresh(t, 'sqlite');
  const anew = await fresh(t, 'postgres');
  await (await openDatabase(old, assert.fail)).close();
  const file = join(old.dataDir, 'wall.backup');
  await done(old, 'backup', file);
  await rm(`${file}.sha256`);
  const copy = new DatabaseSync(file);
  copy.exec("insert into operator_log (at, operator, action, reason) values (1, 'a', 'b', 'c' || char(0))");
  copy.close();
  assert.match(await refused(anew, ['restore', file]), /./);

  const older = new DatabaseSync(file);
  older.exec('delete from operator_log; delete from migrations where version = (select max(version) from migrations)');
  older.close();
  assert.match(await refused(anew, ['restore', file]), /^Копия сделана более старой программой/);

  const db = await openDatabase(anew, assert.fail);
  assert.equal((await db.read.selectFrom('users').select('id').execute()).length, 0);
  await db.close();
});
