import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { cannotCopy, done, freshPlaceToCopy, refused } from '../../../test/kit/backup-process.ts';
import { type Engine, engines, freshPlace, type Place } from '../../../test/kit/engines.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { openDatabase, sqliteFile } from '../../db/open-database.ts';
import { createPost } from '../../features/posts/writes.ts';
import { withClient } from './postgres-tools.ts';
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
  const skipReason = await cannotCopy(engine);
  if (skipReason) {
    process.stderr.write(`Skipping the backup tests on ${engine}: ${skipReason}\n`);
    continue;
  }

  test(`a checksum file detects one flipped bit in a copy on ${engine}`, async (t) => {
    const place = await wall(t, engine);
    const file = join(place.dataDir, 'wall.backup');
    await done(place, 'backup', file);
    assert.equal((await stat(`${file}.sha256`)).mode & 0o777, 0o600);
    const output = execFileSync('sha256sum', ['-c', 'wall.backup.sha256'], { cwd: place.dataDir, encoding: 'utf8' });
    assert.equal(output, 'wall.backup: OK\n');

    const bytes = await readFile(file);
    const target = { ...place, dataDir: join(place.dataDir, 'target') };
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(file, bytes);
    assert.match(await refused(target, ['restore', file, '--replace']), /^Копия повреждена: .*контрольная сумма/);
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(file, bytes);
    await rm(`${file}.sha256`);
    assert.match(await done(target, 'restore', file, '--replace'), /^Контрольной суммы рядом с копией нет/m);
  });
}

test('detects a flipped bit anywhere in a copy', async (t) => {
  const place = await wall(t, 'sqlite');
  const file = join(place.dataDir, 'wall.backup');
  await done(place, 'backup', file);
  const whole = await readFile(file);
  const target = join(place.dataDir, 'target');
  for (let i = 0; i < 12; i += 1) {
    const at = randomInt(Math.floor((whole.length * i) / 12) + 16, Math.floor((whole.length * (i + 1)) / 12));
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 1 << randomInt(8);
    await writeFile(file, bytes);
    await assert.rejects(restoreSqlite(target, file, false), /^CommandError: Копия повреждена/, `bit in byte ${at}`);
  }
  await writeFile(file, whole);
  await restoreSqlite(target, file, false);
});

test('a failed backup leaves no checksum file behind and overwrites none', async (t) => {
  const place = await wall(t, 'sqlite');
  const file = join(place.dataDir, 'wall.backup');
  await writeFile(`${file}.sha256`, 'чужое');
  assert.match(await refused(place, ['backup', file]), /^Такой файл уже есть: .*wall\.backup\.sha256/);
  assert.equal(await readFile(`${file}.sha256`, 'utf8'), 'чужое');
  const names = (await readdir(place.dataDir)).filter((name) => !name.startsWith(basename(sqliteFile(''))));
  assert.deepEqual(names, ['wall.backup.sha256']);
});

test('neither restores nor makes a copy with a trigger or with other tables', async (t) => {
  const place = await wall(t, 'sqlite');
  const file = join(place.dataDir, 'wall.backup');
  await done(place, 'backup', file);
  await rm(`${file}.sha256`);
  const whole = await readFile(file);
  const target = join(place.dataDir, 'target');
  for (const [statement, named] of [
    ["create trigger spy after insert on users begin update users set email = 'x'; end", 'trigger spy'],
    // Triggers may have the names of tables that only copies have.
    ["create trigger backup after insert on users begin update users set email = 'x'; end", 'trigger backup'],
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
      restoreSqlite(target, file, false),
      ({ message }: Error) => message.startsWith('Таблицы в копии не такие') && message.includes(named),
      statement,
    );
  }
  await assert.rejects(stat(sqliteFile(target)), { code: 'ENOENT' });

  const live = new DatabaseSync(sqliteFile(place.dataDir));
  live.exec('create index quick on posts (text)');
  live.close();
  assert.match(await refused(place, ['backup', `${file} 2`]), /^Таблицы в копии не такие.*index quick/);
});

test('makes no copy of a PostgreSQL database with a trigger', async (t) => {
  const skipReason = await cannotCopy('postgres');
  if (skipReason) {
    process.stderr.write(`Skipping the backup tests on postgres: ${skipReason}\n`);
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

test('restores no PostgreSQL copy whose entries contain more than its list shows', async (t) => {
  if (await cannotCopy('postgres')) return;
  const place = await wall(t, 'postgres');
  const query = (text: string) => withClient(place.databaseUrl!, (client) => client.query(text));
  const comment = 'x'.repeat(400);
  await query(`comment on table posts is '${comment}'`);
  const file = join(place.dataDir, 'wall.backup');
  await done(place, 'backup', file);
  await rm(`${file}.sha256`);
  const whole = await readFile(file, 'latin1');
  const shown = `COMMENT ON TABLE public.posts IS '${comment}';`;
  assert.ok(whole.includes(shown));
  const spy = `create function public.spy() returns trigger language plpgsql as 'begin return new; end';`;
  for (const [statements, named] of [
    [
      `${spy} create trigger spy after insert on public.posts execute function public.spy();`,
      'trigger spy, function spy()',
    ],
    ['create rule spy as on insert to public.posts do also notify spy;', 'rule spy'],
    ['create policy spy on public.posts using (false);', 'policy spy'],
  ] as const) {
    await writeFile(file, whole.replace(shown, statements.padEnd(shown.length)), 'latin1');
    assert.equal(
      await refused(place, ['restore', file, '--replace']),
      `В копии есть то, чего у стены не бывает: ${named}. Восстановить её нельзя.\n`,
    );
    const { rows } = await query(`select (select count(*) from posts)::int as posts, to_regproc('spy') as spy`);
    assert.deepEqual(rows, [{ posts: 50, spy: null }]);
  }
  await writeFile(file, whole, 'latin1');
  await done(place, 'restore', file, '--replace');
});
