import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { mustSucceed, enginesToCopy, freshStorageToCopy, mustFail } from '../../../test/kit/backup-process.ts';
import type { Engine, StorageSettings } from '../../../test/kit/engines.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { openDatabase, sqliteFile } from '../../db/open-database.ts';
import { createPost } from '../../features/posts/post-writes.ts';
import { withClient } from './postgres-tools.ts';
import { restoreSqlite } from './sqlite-restore.ts';
import { runCommand } from '../../../test/kit/command-process.ts';
import { pollWithin } from '../../../test/kit/polling.ts';
import { startServer } from '../../../test/kit/server-process.ts';
import { device } from '../../../test/kit/sign-in.ts';

async function wall(t: TestContext, engine: Engine): Promise<StorageSettings> {
  const { storage, remove } = await freshStorageToCopy(engine);
  t.after(remove);
  const db = await openDatabase(storage, assert.fail);
  const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 1 }));
  for (let i = 0; i < 50; i += 1) await db.tx((tx) => createPost(tx, { userId, text: `запись ${i}`, now: 1 }));
  await db.close();
  return storage;
}

const copied = await enginesToCopy();

for (const engine of copied) {
  test(`a checksum file detects one flipped bit in a copy on ${engine}`, async (t) => {
    const storage = await wall(t, engine);
    const file = join(storage.dataDir, 'wall.backup');
    await mustSucceed(storage, 'backup', file);
    assert.equal((await stat(`${file}.sha256`)).mode & 0o777, 0o600);
    const output = execFileSync('sha256sum', ['-c', 'wall.backup.sha256'], { cwd: storage.dataDir, encoding: 'utf8' });
    assert.equal(output, 'wall.backup: OK\n');

    const bytes = await readFile(file);
    const target = { ...storage, dataDir: join(storage.dataDir, 'target') };
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(file, bytes);
    assert.match(await mustFail(target, ['restore', file, '--replace']), /^Копия повреждена: .*контрольная сумма/);
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(file, bytes);
    await rm(`${file}.sha256`);
    assert.match(
      await mustSucceed(target, 'restore', file, '--replace'),
      /^Контрольной суммы рядом с копией нет, поэтому/m,
    );
  });
}

for (const [what, take] of [
  ['replaced', (file) => rename(`${file}.other`, file)],
  [
    'deleted with all its files',
    async (file) => void (await Promise.all(['', '-wal', '-shm'].map((end) => rm(file + end)))),
  ],
] satisfies Array<[string, (file: string) => Promise<void>]>) {
  test(`a copy has everything that a running server has acknowledged although its database was ${what}`, async (t) => {
    const storage = await wall(t, 'sqlite');
    const file = sqliteFile(storage.dataDir);
    await copyFile(file, `${file}.other`);
    const server = await startServer(storage, { LOG_LEVEL: 'error' });
    t.after(() => server.stop());
    const register = async (name: string) => {
      const body = JSON.stringify({ email: `${name}@example.org`, clientToken: 'client', device });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${server.address}/api/v1/registrations`, { method: 'POST', headers, body })).status;
    };
    assert.equal(await register('boris'), 201);
    await take(file);
    const ready = async () => (await fetch(`${server.address}/readyz`)).status;
    await pollWithin(500, async () => (await ready()) === 503 || undefined);
    assert.equal(await register('galina'), 503);

    const [copy, target] = [`${file}.backup`, join(storage.dataDir, 'target')];
    assert.match(await mustSucceed(storage, 'backup', copy), new RegExp(`открыты у процесса ${server.child.pid}:`));
    assert.match(await mustFail(storage, ['restore', copy, '--replace']), /у процесса \d+ открыт прежний/);
    await server.stop();
    assert.equal((await server.logs).trim().split('\n').length, 1);
    await restoreSqlite(target, copy, false);
    const db = await openDatabase({ databaseUrl: undefined, dataDir: target }, assert.fail);
    const found = await db.read.selectFrom('operations').select('email').execute();
    await db.close();
    assert.deepEqual(found, [{ email: 'boris@example.org' }]);
  });
}

test('a copy without a checksum whose rows or pages contradict each other is restored only as it is', async (t) => {
  const storage = await wall(t, 'sqlite');
  const file = join(storage.dataDir, 'wall.backup');
  const target = { ...storage, dataDir: join(storage.dataDir, 'target') };
  await mustSucceed(storage, 'backup', file);
  await rm(`${file}.sha256`);
  const copy = new DatabaseSync(file);
  copy.exec('update all_posts set likes_count = 7 where id = 3');
  const page = copy.prepare("select rootpage * 4096 as ends from sqlite_schema where name = 'users'").get();
  copy.close();
  const refused = () => mustFail(target, ['restore', file, '--replace']);
  assert.match(await refused(), /^Копия повреждена, расхождений в ней: 1\..*--without-check/);
  assert.match(await mustSucceed(target, 'restore', file, '--replace', '--without-check'), /verify-data/);

  const bytes = await readFile(file);
  bytes.fill(0xff, Number(page!['ends']) - 20, Number(page!['ends']));
  await writeFile(file, bytes);
  assert.match(await refused(), /^Копия повреждена: /);
  await mustSucceed(target, 'restore', file, '--replace', '--without-check');
});

test('a check of a copy does not create the wall that it misses', async (t) => {
  const storage = await wall(t, 'sqlite');
  const copy = join(storage.dataDir, 'wall.backup');
  await mustSucceed(storage, 'backup', copy);
  const nowhere = { ...storage, dataDir: join(storage.dataDir, 'nowhere') };
  await mkdir(nowhere.dataDir);
  const { code } = await runCommand('server/commands/backup/main.ts', nowhere, ['check-copy', copy]);
  assert.equal(code, 1);
  assert.deepEqual(await readdir(nowhere.dataDir), []);
});

test('detects a flipped bit anywhere in a copy', async (t) => {
  const storage = await wall(t, 'sqlite');
  const file = join(storage.dataDir, 'wall.backup');
  await mustSucceed(storage, 'backup', file);
  const whole = await readFile(file);
  const target = join(storage.dataDir, 'target');
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

test('neither restores nor makes a copy with a trigger or with other tables', async (t) => {
  const storage = await wall(t, 'sqlite');
  const file = join(storage.dataDir, 'wall.backup');
  await mustSucceed(storage, 'backup', file);
  await rm(`${file}.sha256`);
  const whole = await readFile(file);
  const target = join(storage.dataDir, 'target');
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

  const live = new DatabaseSync(sqliteFile(storage.dataDir));
  live.exec('create index quick on all_posts (text)');
  live.close();
  assert.match(await mustFail(storage, ['backup', `${file} 2`]), /^Таблицы в копии не такие.*index quick/);
});

if (copied.includes('postgres')) {
  test('makes no copy of a PostgreSQL database with a trigger', async (t) => {
    const storage = await wall(t, 'postgres');
    await withClient(storage.databaseUrl!, (client) =>
      client.query(`create function spy() returns trigger language plpgsql as 'begin return new; end';
        create trigger spy after insert on users for each row execute function spy()`),
    );
    const file = join(storage.dataDir, 'wall.backup');
    assert.match(await mustFail(storage, ['backup', file]), /^В копии есть то, чего у стены не бывает: FUNCTION .*spy/);
  });

  test('restores no PostgreSQL copy whose entries contain more than its list shows', async (t) => {
    const storage = await wall(t, 'postgres');
    const query = (text: string) => withClient(storage.databaseUrl!, (client) => client.query(text));
    const comment = 'x'.repeat(400);
    await query(`comment on table all_posts is '${comment}'`);
    const file = join(storage.dataDir, 'wall.backup');
    await mustSucceed(storage, 'backup', file);
    await rm(`${file}.sha256`);
    const whole = await readFile(file, 'latin1');
    const shown = `COMMENT ON TABLE public.all_posts IS '${comment}';`;
    assert.ok(whole.includes(shown));
    const spy = `create function public.spy() returns trigger language plpgsql as 'begin return new; end';`;
    for (const [statements, named] of [
      [
        `${spy} create trigger spy after insert on public.all_posts execute function public.spy();`,
        'trigger spy, function spy()',
      ],
      ['create rule spy as on insert to public.all_posts do also notify spy;', 'rule spy'],
      ['create policy spy on public.all_posts using (false);', 'policy spy'],
    ] as const) {
      await writeFile(file, whole.replace(shown, statements.padEnd(shown.length)), 'latin1');
      assert.equal(
        await mustFail(storage, ['restore', file, '--replace']),
        `В копии есть то, чего у стены не бывает: ${named}. Восстановить её нельзя.\n`,
      );
      const { rows } = await query(`select (select count(*) from posts)::int as posts, to_regproc('spy') as spy`);
      assert.deepEqual(rows, [{ posts: 50, spy: null }]);
    }
    await writeFile(file, whole, 'latin1');
    await mustSucceed(storage, 'restore', file, '--replace');
  });
}

test('a backup overwrites no file and leaves no partial file behind', async (t) => {
  const storage = await wall(t, 'sqlite');
  const file = join(storage.dataDir, 'taken');
  await writeFile(file, 'чужое');
  assert.match(await mustFail(storage, ['backup', file]), /^Такой файл уже есть/);
  await writeFile(`${file} 3.sha256`, 'чужое');
  assert.match(await mustFail(storage, ['backup', `${file} 3`]), /^Такой файл уже есть: .*taken 3\.sha256/);
  for (const path of [file, `${file} 3.sha256`]) assert.equal(await readFile(path, 'utf8'), 'чужое');
  assert.match(await mustFail(storage, ['backup', join(file, 'x')]), /^Копия не сделана: EEXIST/);
  assert.match(await mustFail(storage, ['backup']), /\.\/stena backup ФАЙЛ$/m);
  assert.match(await mustFail(storage, ['backup', file, '--replace']), /\.\/stena backup ФАЙЛ$/m);
  const empty = { ...storage, dataDir: join(storage.dataDir, 'empty') };
  assert.match(await mustFail(empty, ['backup', `${file} 2`]), /^Стены здесь ещё нет/);
  const files = ['stena.sqlite', 'stena.sqlite-shm', 'stena.sqlite-wal', 'taken', 'taken 3.sha256'];
  assert.deepEqual((await readdir(storage.dataDir)).toSorted(), files);

  // A damaged source cannot be copied; the partial copy is removed.
  const handle = await stat(sqliteFile(storage.dataDir));
  await truncate(sqliteFile(storage.dataDir), Math.floor(handle.size / 8_192) * 4_096);
  assert.match(
    await mustFail(storage, ['backup', `${file} 2`]),
    /^База .*stena\.sqlite повреждена .*\.\/stena restore ФАЙЛ/,
  );
  assert.deepEqual(
    (await readdir(storage.dataDir)).filter((name) => name.startsWith('taken ')),
    ['taken 3.sha256'],
  );
});

test('a restore rejects unusable copies and used data folders without changing anything', async (t) => {
  const storage = await wall(t, 'sqlite');
  const file = join(storage.dataDir, 'wall.backup');
  await mustSucceed(storage, 'backup', file);
  const target: StorageSettings = { databaseUrl: undefined, dataDir: join(storage.dataDir, 'target') };

  assert.match(await mustFail(storage, ['restore', file]), /^Здесь уже есть стена: .*--replace$/m);
  const server = await startServer(storage, { LOG_LEVEL: 'error' });
  const busy = await mustFail(storage, ['restore', file, '--replace']).finally(() => server.stop());
  assert.match(busy, /работает сервер/);

  assert.match(await mustFail(target, ['restore', join(storage.dataDir, 'none')]), /^Копию не прочесть: ENOENT/);
  assert.match(await mustFail(target, ['restore', sqliteFile(storage.dataDir)]), /^Это не резервная копия стены/);
  const newer = join(storage.dataDir, 'newer.backup');
  await writeFile(newer, await readFile(file));
  const database = new DatabaseSync(newer);
  database.exec("insert into migrations values (9000, 'from the future', 1)");
  database.close();
  assert.match(await mustFail(target, ['restore', newer]), /более новой программой \(версия данных 9000/);
  const cut = join(storage.dataDir, 'cut.backup');
  const whole = await readFile(file);
  await writeFile(cut, whole.subarray(0, whole.length / 2));
  assert.match(await mustFail(target, ['restore', cut]), /^Копия повреждена/);
  const spoilt = join(storage.dataDir, 'spoilt.backup');
  await writeFile(spoilt, Buffer.from(whole).fill(0xff, 8_192, 12_288));
  assert.match(await mustFail(target, ['restore', spoilt]), /^Копия повреждена/);
  await writeFile(cut, 'PGDMP');
  assert.match(await mustFail(target, ['restore', cut]), /^Это копия стены на PostgreSQL, а .* на SQLite/);
  await assert.rejects(stat(sqliteFile(target.dataDir)), { code: 'ENOENT' });
  assert.match(await mustSucceed(target, 'restore', file), /^Стена восстановлена/);
});

test('a backup makes its folder, which others cannot read', async (t) => {
  const storage = await wall(t, 'sqlite');
  const folder = join(storage.dataDir, 'new');
  await mustSucceed(storage, 'backup', join(folder, 'here', 'wall.backup'));
  for (const path of [folder, join(folder, 'here')]) assert.equal((await stat(path)).mode & 0o777, 0o700);
});

test('a restore reads only files, and names the owner of one that it may not read', async (t) => {
  const storage = await wall(t, 'sqlite');
  const target: StorageSettings = { databaseUrl: undefined, dataDir: join(storage.dataDir, 'target') };
  const pipe = join(storage.dataDir, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  for (const path of [pipe, '/dev/zero', storage.dataDir]) {
    assert.match(await mustFail(target, ['restore', path]), /^Это не обычный файл: /);
  }

  const file = join(storage.dataDir, 'wall.backup');
  await mustSucceed(storage, 'backup', file);
  for (const locked of [file, `${file}.sha256`]) {
    // The tests may run as root, who can read everything.
    const lock = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
      for (const name of ['open', 'readFile']) {
        const call = fs[name];
        fs[name] = (path, ...rest) => path === '${locked}'
          ? Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES', path })) : call(path, ...rest);
      }
      syncBuiltinESMExports();`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(lock).replaceAll("'", '%27')}`;
    const message = await mustFail(target, ['restore', file], { NODE_OPTIONS });
    const { username } = userInfo();
    assert.equal(
      message,
      `Копию не прочесть: ${locked} принадлежит пользователю ${username}, а команду выполняет ${username}. Смените владельца (chown) или возьмите другую папку.\n`,
    );
  }
});

test('restores over a damaged wall with a left-over WAL', async (t) => {
  const storage = await wall(t, 'sqlite');
  const file = join(storage.dataDir, 'wall.backup');
  await mustSucceed(storage, 'backup', file);
  await writeFile(sqliteFile(storage.dataDir), 'not a database any more');
  await writeFile(`${sqliteFile(storage.dataDir)}-wal`, 'left over');
  const [, aside] = /отложены: (\S+)$/m.exec(await mustSucceed(storage, 'restore', file, '--replace'))!;
  assert.equal(await readFile(sqliteFile(aside!), 'utf8'), 'not a database any more');
  assert.equal(await readFile(`${sqliteFile(aside!)}-wal`, 'utf8'), 'left over');
  const db = await openDatabase(storage, assert.fail);
  assert.equal((await db.read.selectFrom('posts').selectAll().execute()).length, 50);
  await db.close();
});

test('rejects missing and outdated PostgreSQL programs and a database in use', async (t) => {
  const storage = await wall(t, 'postgres');
  const file = join(storage.dataDir, 'wall.backup');
  const tools = join(storage.dataDir, 'tools');
  await mkdir(tools);
  const PATH = { PATH: tools };
  assert.match(await mustFail(storage, ['backup', file], PATH), /^Не найдена программа pg_dump/);
  const fakeTool = async (tool: string, script: string) => {
    await writeFile(join(tools, tool), `#!/bin/sh\n${script}\n`);
    await chmod(join(tools, tool), 0o755);
  };
  await fakeTool('pg_dump', 'echo "pg_dump (PostgreSQL) 14.9 (Debian 14.9-1)"');
  assert.match(await mustFail(storage, ['backup', file], PATH), /^pg_dump версии 14 старее сервера PostgreSQL \d+: /);

  // A pg_dump that is new enough but fails. Its arguments must not contain the password.
  const { password } = new URL(storage.databaseUrl!);
  await fakeTool(
    'pg_dump',
    `case "$*" in --version) echo "pg_dump (PostgreSQL) 99.1" ;; *${password}*) echo "pg_dump: error: password" >&2; exit 1 ;;
     *) echo "pg_dump: error: PGPASSWORD has \${#PGPASSWORD} characters" >&2; exit 1 ;; esac`,
  );
  const message = await mustFail(storage, ['backup', file], PATH);
  assert.equal(message, `pg_dump: PGPASSWORD has ${password.length} characters\n`);
  assert.deepEqual(await readdir(storage.dataDir), ['tools']);

  await writeFile(file, 'PGDMP');
  assert.match(await mustFail(storage, ['restore', file], PATH), /^Не найдена программа pg_restore/);
  await fakeTool('pg_restore', 'echo "pg_restore (PostgreSQL) 99.1"; printf "9000\\tfuture\\t1\\n"');
  assert.match(await mustFail(storage, ['restore', file], PATH), /более новой программой/);
  await fakeTool('pg_restore', 'echo "pg_restore (PostgreSQL) 99.1"; printf "1\\twall\\t1\\n"');
  assert.match(await mustFail(storage, ['restore', file], PATH), /^Здесь уже есть стена/);
  const db = await openDatabase(storage, assert.fail);
  const busy = await mustFail(storage, ['restore', file, '--replace', '--without-check'], PATH).finally(() =>
    db.close(),
  );
  assert.match(busy, /работает сервер/);

  await fakeTool(
    'pg_restore',
    'case "$*" in *--single*) echo "pg_restore: error: no" >&2; exit 1 ;; esac; echo "pg 99.1"; printf "1\\t"',
  );
  assert.equal(await mustFail(storage, ['restore', file, '--replace', '--without-check'], PATH), 'pg_restore: no\n');
  const unchanged = await openDatabase(storage, assert.fail);
  assert.equal((await unchanged.read.selectFrom('posts').selectAll().execute()).length, 50);
  await unchanged.close();
});
