import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { cannotCopy, done, freshPlaceToCopy, refused } from '../../test/backup-process.ts';
import { type Engine, engines, freshPlace, type Place } from '../../test/engines.ts';
import { createUser } from '../account/store.ts';
import { openDatabase, sqliteFile } from '../db/open-database.ts';
import { createPost } from '../posts/writes.ts';
import { withClient } from './postgres-server.ts';
import { restoreSqlite } from './sqlite-restore.ts';

async function wall(t: TestContext, engine: Engine): Promise<Place> {
  const { place, remove } = engine === 'sqlite' ? await freshPlace(engine) : await freshPlaceToCopy(engine);
  t.after(remove);
  const db = await openDatabase(place, assert.fail);
  const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 1 }));
  for (let i = 0; i < 50; i += 1) await db.tx((tx) => createPost(tx, { userId, text: `запись ${i}`, now: 1 }));
  await db.close();
  return place;
}

for (const engine of engines) {
  const lack = await cannotCopy(engine);
  if (lack) {
    process.stderr.write(`Copies of a wall on ${engine} are not tested here: ${lack}\n`);
    continue;
  }

  test(`a copy has a checksum beside it, by which one flipped bit is found, on ${engine}`, async (t) => {
    const place = await wall(t, engine);
    const file = join(place.dataDir, 'wall.backup');
    await done(place, 'backup', file);
    assert.equal((await stat(`${file}.sha256`)).mode & 0o777, 0o600);
    const said = execFileSync('sha256sum', ['-c', 'wall.backup.sha256'], { cwd: place.dataDir, encoding: 'utf8' });
    assert.equal(said, 'wall.backup: OK\n');

    const bytes = await readFile(file);
    const anew = { ...place, dataDir: join(place.dataDir, 'anew') };
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(file, bytes);
    assert.match(await refused(anew, ['restore', file, '--replace']), /^Копия повреждена: .*контрольная сумма/);
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(file, bytes);
    await rm(`${file}.sha256`);
    assert.match(await done(anew, 'restore', file, '--replace'), /^Контрольной суммы рядом с копией нет/m);
  });
}

test('a flipped bit is found wherever it is', async (t) => {
  const place = await wall(t, 'sqlite');
  const file = join(place.dataDir, 'wall.backup');
  await done(place, 'backup', file);
  const whole = await readFile(file);
  const anew = join(place.dataDir, 'anew');
  for (let i = 0; i < 12; i += 1) {
    const at = randomInt(Math.floor((whole.length * i) / 12) + 16, Math.floor((whole.length * (i + 1)) / 12));
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 1 << randomInt(8);
    await writeFile(file, bytes);
    await assert.rejects(restoreSqlite(anew, file, false), /^Refusal: Копия повреждена/, `bit in byte ${at}`);
  }
  await writeFile(file, whole);
  await restoreSqlite(anew, file, false);
});

test('a copy that cannot be made leaves no checksum behind, and takes the place of none', async (t) => {
  const place = await wall(t, 'sqlite');
  const file = join(place.dataDir, 'wall.backup');
  await writeFile(`${file}.sha256`, 'чужое');
  assert.match(await refused(place, ['backup', file]), /^Такой файл уже есть: .*wall\.backup\.sha256/);
  assert.equal(await readFile(`${file}.sha256`, 'utf8'), 'чужое');
  const names = (await readdir(place.dataDir)).filter((name) => !name.startsWith(basename(sqliteFile(''))));
  assert.deepEqual(names, ['wall.backup.sha256']);
});

test('a copy with a trigger, or with other tables, is neither restored nor made', async (t) => {
  const place = await wall(t, 'sqlite');
  const file = join(place.dataDir, 'wall.backup');
  await done(place, 'backup', file);
  await rm(`${file}.sha256`);
  const whole = await readFile(file);
  const anew = join(place.dataDir, 'anew');
  for (const [statement, named] of [
    ["create trigger spy after insert on users begin update users set email = 'x'; end", 'trigger spy'],
    ['create table more (id integer)', 'table more'],
    ['create view mails as select email from users', 'view mails'],
    ['alter table users add column extra text', 'table users'],
    ['drop table reports', 'table reports'],
  ] as const) {
    await writeFile(file, whole);
    const copy = new DatabaseSync(file);
    copy.exec(statement);
    copy.close();
    await assert.rejects(
      restoreSqlite(anew, file, false),
      ({ message }: Error) => message.startsWith('Таблицы в копии не такие') && message.includes(named),
      statement,
    );
  }
  await assert.rejects(stat(sqliteFile(anew)), { code: 'ENOENT' });

  const live = new DatabaseSync(sqliteFile(place.dataDir));
  live.exec('create index quick on posts (text)');
  live.close();
  assert.match(await refused(place, ['backup', `${file} 2`]), /^Таблицы в копии не такие.*index quick/);
});

test('a copy of PostgreSQL with a trigger is neither restored nor made', async (t) => {
  const lack = await cannotCopy('postgres');
  if (lack) {
    process.stderr.write(`Copies of a wall on postgres are not tested here: ${lack}\n`);
    return;
  }
  const place = await wall(t, 'postgres');
  await withClient(place.databaseUrl!, (client) =>
    client.query(`create function spy() returns trigger language plpgsql as 'begin return new; end';
      create trigger spy after insert on users for each row execute function spy()`),
  );
  const file = join(place.dataDir, 'wall.backup');
  assert.match(await refused(place, ['backup', file]), /^В копии есть то, чего у стены не бывает: FUNCTION .*spy/);
});
