import assert from 'node:assert/strict';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { errorOf, outputOf, runCommand } from '../../../test/kit/command-process.ts';
import { engines, freshStorage, openFresh } from '../../../test/kit/engines.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase, sqliteFile } from '../../db/open-database.ts';
import { withClient } from '../backup/postgres-tools.ts';
import { changeState } from '../../features/posts/post-states.ts';
import { changeText, createPost, lockPost } from '../../features/posts/post-writes.ts';

const program = 'server/commands/verify-data/main.ts';

const posts = 1_000;
const editors = 4;

/** Publishes, deletes and edits posts, many of them at the same moment, until `ended`; resolves to the number of rounds. */
async function writeUntil(db: Database, userId: number, ended: Promise<unknown>): Promise<number> {
  let rounds = 0;
  const edit = (id: number): Promise<void> =>
    db.tx(async (tx) => {
      for (let i = id; i <= posts; i += 100)
        await changeText(tx, (await lockPost(tx, i))!, `другой текст ${rounds}`, 0);
    });
  const isOver = ended.then(() => true);
  for (; !(await Promise.race([isOver, sleep(0, false)])); rounds += 1) {
    const id = await db.tx((tx) => createPost(tx, { userId, text: `новая запись ${rounds}`, now: 0 }));
    await Promise.all(Array.from({ length: editors }, (_, i) => edit(i + 1)));
    if (rounds % 2 === 0) await db.tx(async (tx) => changeState(tx, (await lockPost(tx, id))!, { to: 'gone' }, 0));
  }
  return rounds;
}

for (const engine of engines) {
  const checked =
    engine === 'sqlite'
      ? 'Файл базы цел (PRAGMA integrity_check).\n'
      : 'Индексы не проверены: в базе нет расширения amcheck или роли стены нельзя его выполнять.\n';

  describe(`verify-data on ${engine}`, () => {
    test('reports each wrong count and fails', async () => {
      await using opened = await openFresh(engine);
      const { db, storage } = opened;
      const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 }));
      await db.tx((tx) => createPost(tx, { userId, text: 'запись', now: 0 }));
      assert.equal(outputOf(await runCommand(program, storage, []), []), `${checked}Все счётчики верны.\n`);

      await db.tx((tx) => tx.db.updateTable('users').set({ posts_count: 5 }).execute());
      const { code, output } = await runCommand(program, storage, []);
      assert.deepEqual(
        [code, output],
        [1, `${checked}users.posts_count, номер ${userId}: записано 5, насчитано 1\nНеверных счётчиков: 1.\n`],
      );
    });

    test('reports a name that was not compared with those of others', async () => {
      await using opened = await openFresh(engine);
      const { db, storage } = opened;
      const add = (username: string) =>
        db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now: 0 }));
      await add('anna_');
      const boris = await add('boris_');
      await db.tx((tx) => tx.db.updateTable('users').set({ name_skeleton: 'anna' }).where('id', '=', boris).execute());
      const { code, output } = await runCommand(program, storage, []);
      const found = [
        `users.name_skeleton: не от этого имени, номер ${boris}: записано 0, насчитано 1`,
        `users.is_namesake: первых с этим именем, номер ${boris}: записано 2, насчитано 1`,
      ];
      assert.deepEqual([code, output], [1, `${checked}${found.join('\n')}\nНеверных счётчиков: 2.\n`]);
    });

    test('finds no difference while people write', async () => {
      await using opened = await openFresh(engine);
      const { db, storage } = opened;
      const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 }));
      await db.tx(async (tx) => {
        for (let i = 0; i < posts; i += 1) await createPost(tx, { userId, text: `запись ${i}`, now: 0 });
      });
      const run = runCommand(program, storage, []);
      const rounds = await writeUntil(db, userId, run);
      assert.equal(outputOf(await run, []), `${checked}Все счётчики верны.\n`);
      assert.ok(rounds > 0);
    });

    test('refuses where there is no wall, and creates none', async () => {
      await using fresh = await freshStorage(engine);
      for (let i = 0; i < 2; i += 1) {
        assert.match(errorOf(await runCommand(program, fresh.storage, []), []), /^Стены здесь ещё нет/);
      }
      assert.deepEqual(await readdir(fresh.storage.dataDir), []);
    });
  });
}

test('verify-data finds an index of PostgreSQL that lacks a row, where amcheck is there', async () => {
  await using opened = await openFresh('postgres');
  const { db, storage } = opened;
  await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 }));
  await withClient(storage.databaseUrl!, async (client) => {
    const changing = (to: number) =>
      client.query(
        `create or replace function f(i bigint) returns bigint immutable language sql as 'select i + ${to}'`,
      );
    await client.query('create extension amcheck');
    await changing(1);
    await client.query('create index spoilt on users (f(id))');
    assert.match(outputOf(await runCommand(program, storage, []), []), /^Индексы целы \(amcheck\)\.\n/);
    await changing(2);
  });
  assert.match(errorOf(await runCommand(program, storage, []), []), /^База PostgreSQL повреждена: .*"spoilt".*reindex/);
});

test('neither verify-data nor a backup accepts a damaged page of an index on SQLite', async () => {
  await using fresh = await freshStorage('sqlite');
  const { storage } = fresh;
  const db = await openDatabase(storage, assert.fail);
  await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 }));
  const query = sql<{
    page: number;
  }>`select rootpage as page from sqlite_schema where type = 'index' and tbl_name = 'likes'`;
  const { page } = (await query.execute(db.read)).rows[0]!;
  await db.close();
  const file = await open(sqliteFile(storage.dataDir), 'r+');
  await file.write(Buffer.alloc(4_096, 0xff), 0, undefined, (page - 1) * 4_096);
  await file.close();
  const said = new RegExp(`^База ${sqliteFile(storage.dataDir)} повреждена \\(.+\\): .*restore ФАЙЛ --replace\n$`);
  assert.match(errorOf(await runCommand(program, storage, []), []), said);
  const backup = ['backup', join(storage.dataDir, 'night.backup')];
  assert.match(errorOf(await runCommand('server/commands/backup/main.ts', storage, backup), backup), said);
});
