import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { copyFile, open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { text as textOf } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { device } from '../../../test/kit/sign-in.ts';
import {
  type FreshStorage,
  freshStorage,
  openFresh,
  type OpenedDatabase,
  type StorageSettings,
} from '../../../test/kit/engines.ts';
import { errorOf, runCommand } from '../../../test/kit/command-process.ts';
import { startServer } from '../../../test/kit/server-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { createPost } from '../../features/posts/post-writes.ts';
import { openDatabase, sqliteFile } from '../open-database.ts';
import { fileSync, openSqlite } from './open-sqlite.ts';
import { watchFiles } from './watch-files.ts';
import { cannotMount, type Disk, freeze, newDisk, resume } from '../../../test/kit/disk.ts';
import { pollWithin } from '../../../test/kit/polling.ts';
import { wallOver } from '../../../test/kit/wall.ts';
import { type Database, StorageUnavailable } from '../database.ts';

const pageBytes = 4_096;

/** A wall with more posts than fit into the page cache of a connection. */
async function writtenStorage(t: TestContext): Promise<FreshStorage['storage']> {
  const { storage, remove } = await freshStorage('sqlite');
  t.after(remove);
  const db = await openDatabase(storage, assert.fail);
  const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 1 }));
  await db.tx(async (tx) => {
    for (let i = 0; i < 300; i += 1) await createPost(tx, { userId, text: 'я'.repeat(900), now: 1 });
  });
  await db.close();
  return storage;
}

/** Overwrites the file from the given page on, as a failing disk or another program would. */
async function overwrite(file: string, fromPage: number): Promise<void> {
  const handle = await open(file, 'r+');
  const { size } = await handle.stat();
  await handle.write(Buffer.alloc(size - fromPage * pageBytes, 0xff), 0, undefined, fromPage * pageBytes);
  await handle.close();
}

const damageText = (file: string): string =>
  `База ${file} повреждена \\(.+\\): проверьте диск, .*\\./stena restore ФАЙЛ --replace`;

describe('a damaged database', () => {
  test('fails what needs the damaged pages and all writes, is logged once, and shows in readyz', async (t) => {
    const storage = await writtenStorage(t);
    const file = sqliteFile(storage.dataDir);
    const server = await startServer(storage, { LOG_LEVEL: 'warn' });
    t.after(() => server.stop('SIGKILL'));
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(server.address + path, init);
      return { status: response.status, ...((await response.json()) as { code?: string }) };
    };
    await overwrite(file, Math.floor(statSync(file).size / pageBytes / 2));
    const read = new Set<string>();
    for (let id = 1; id <= 300; id += 10) {
      const { status, code = '' } = await ask(`/api/v1/posts/${id}`);
      read.add(`${status} ${code}`);
    }
    assert.deepEqual([...read].toSorted(), ['200 ', '500 INTERNAL']);
    const body = JSON.stringify({ email: 'boris@example.org', clientToken: 'client', device });
    const write = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    for (let i = 0; i < 3; i += 1) assert.equal((await ask('/api/v1/registrations', write)).code, 'UNAVAILABLE');
    assert.equal((await ask('/readyz')).status, 'damaged');
    const health = await runCommand('server/commands/health/main.ts', storage, [], { PORT: String(server.port) });
    assert.match(errorOf(health, []), /^База повреждена: /);
    await server.stop();
    assert.equal(await server.ended, 0);
    const lines = (await server.logs).trim().split('\n');
    assert.equal(lines.length, 1, lines.join('\n'));
    const { level, reason, msg } = JSON.parse(lines[0]!) as { level: number; reason: string; msg: string };
    assert.deepEqual([level, msg], [50, 'writes are failing']);
    assert.match(reason, new RegExp(`^${damageText(file)}$`));
  });

  test('is reported at startup with the command that restores a backup', async (t) => {
    const storage = await writtenStorage(t);
    const file = sqliteFile(storage.dataDir);
    for (const spoil of [
      () => overwrite(file, 0),
      () => writeFile(file, 'not a database at all, but long enough to be looked at'.repeat(20)),
    ]) {
      await spoil();
      await assert.rejects(startServer(storage), ({ message }: Error) => {
        assert.match(message, new RegExp(`^The server did not start:\n${damageText(file)}\n$`));
        return true;
      });
    }
  });
});

describe('database files that are taken away from a running wall', () => {
  const inFolder = async (fresh: OpenedDatabase) => {
    const wal = `${sqliteFile(fresh.storage.dataDir)}-wal`;
    await addUser(fresh.db, 'before');
    const seen = (isLost: boolean) =>
      pollWithin(500, () =>
        fresh.db.check().then(
          () => !isLost || undefined,
          () => isLost || undefined,
        ),
      );
    return { file: sqliteFile(fresh.storage.dataDir), wal, seen };
  };

  for (const [what, take] of [
    ['deleted', (file) => rm(file)],
    ['replaced', (file) => rename(`${file}.other`, file)],
    ['left without its WAL', (file) => rm(`${file}-wal`)],
    ['left without the file of its locks', (file) => rm(`${file}-shm`)],
    ['overwritten with less', (file) => writeFile(file, 'SQLite format 3')],
  ] satisfies Array<[string, (file: string) => Promise<void>]>) {
    test(`nothing is acknowledged once the database is ${what}`, async () => {
      await using fresh = await openFresh('sqlite');
      const { file, seen } = await inFolder(fresh);
      await copyFile(file, `${file}.other`);
      await take(file);
      await seen(true);
      await assert.rejects(addUser(fresh.db, 'after'), StorageUnavailable);
      assert.match(fresh.db.writes.reason!, new RegExp(`^Файл ${file}.*\\./stena restore ФАЙЛ --replace$`));
      assert.equal(fresh.db.writes.failed, 1);
    });
  }

  test('a commit that was waiting for the disk is not acknowledged either', async (t) => {
    const { acknowledged, write, nextSync, file, db } = await openOnSlowDisk(t);
    const writing = write('anna');
    const end = await nextSync();
    await rm(file);
    await pollWithin(500, () => db.writes.areFailing || undefined).finally(end);
    await assert.rejects(writing, StorageUnavailable);
    assert.deepEqual(acknowledged, []);
  });

  test('a file that is moved back is the database again', async () => {
    await using fresh = await openFresh('sqlite');
    const { file, seen } = await inFolder(fresh);
    await rename(file, `${file}.moved`);
    await seen(true);
    await rename(`${file}.moved`, file);
    await seen(false);
    await addUser(fresh.db, 'after');
  });

  test('a file that another program has made smaller with all its pages is no loss', async () => {
    await using fresh = await freshStorage('sqlite');
    const file = sqliteFile(fresh.storage.dataDir);
    await writeFile(file, 'four');
    let least = 4;
    const whatHappened = watchFiles(file, () => least);
    least = 2;
    await truncate(file, 2);
    assert.equal(whatHappened(), undefined);
    await truncate(file, 1);
    assert.match(whatHappened()!, /перезаписан/);
  });
});

/** These are more writes than a large group has. A large group is committed without waiting for the running sync. */
const laterWrites = 20;
const pauseMs = 20;

/** A database whose syncs end only when the test ends them. */
async function openOnSlowDisk(t: TestContext) {
  const { storage, remove } = await freshStorage('sqlite');
  const syncs: Array<() => void> = [];
  const db = await openSqlite(sqliteFile(storage.dataDir), {
    sync: () => new Promise((resolve) => syncs.push(resolve)),
    onSyncFailure: assert.fail,
  });
  t.after(async () => {
    await db.close();
    await remove();
  });
  const acknowledged: string[] = [];
  return {
    db,
    file: sqliteFile(storage.dataDir),
    acknowledged,
    async write(username: string) {
      await db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now: 1 }));
      acknowledged.push(username);
    },
    async names() {
      const users = await db.read.selectFrom('users').select('username').orderBy('id').execute();
      return users.map(({ username }) => username);
    },
    /** Resolves at the start of the next sync to the function that ends it. */
    async nextSync() {
      while (syncs.length === 0) await sleep(1);
      return syncs.shift()!;
    },
  };
}

describe('a slow disk', () => {
  test('delays the acknowledgement of writes but not reads', async (t) => {
    const { acknowledged, write, names, nextSync } = await openOnSlowDisk(t);
    const writing = write('anna');
    const end = await nextSync();
    await sleep(pauseMs);
    assert.deepEqual(acknowledged, []);
    assert.deepEqual(await names(), ['anna']);
    assert.deepEqual(acknowledged, []);
    end();
    await writing;
    assert.deepEqual(acknowledged, ['anna']);
  });

  test('acknowledges only commits made before the sync began', async (t) => {
    const { acknowledged, write, names, nextSync } = await openOnSlowDisk(t);
    const first = write('anna');
    const endFirst = await nextSync();
    const later = Array.from({ length: laterWrites }, (_, i) => write(`later_${i}`));
    while ((await names()).length < 1 + laterWrites) await sleep(1);
    endFirst();
    await first;
    const endSecond = await nextSync();
    await sleep(pauseMs);
    assert.deepEqual(acknowledged, ['anna']);
    endSecond();
    await Promise.all(later);
    assert.equal(acknowledged.length, 1 + laterWrites);
  });

  test('does not block the event loop during a sync', async () => {
    await using fresh = await freshStorage('sqlite');
    const file = await open(join(fresh.storage.dataDir, 'file'), 'w');
    const syncing = fileSync(file.fd);
    assert.match(inspect(syncing), /<pending>/);
    await syncing;
    await file.close();
  });
});

/** Runs a program that writes until a sync fails and prints each acknowledged write. */
async function writeOnFailingDisk(dataDir: string): Promise<{ code: number; output: string; errors: string }> {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const sync = fs.fdatasync;
    let syncs = 0;
    fs.fdatasync = (fd, done) => (++syncs <= 3 ? sync(fd, done) : done(new Error('EIO: i/o error, fdatasync')));
    syncBuiltinESMExports();

    const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('../open-database.ts'))});
    const db = await openDatabase({ dataDir: ${JSON.stringify(dataDir)} }, console.error);
    const write = (name) =>
      db.tx((tx) =>
        tx.db.insertInto('users').values({ username: name, username_key: name, email: name, created_at: 1 }).execute(),
      );
    for (let i = 1; i <= 10; i += 1) {
      await write('user_' + i);
      console.log(i);
    }
  `;
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, output, errors };
}

describe('a disk that fails to sync', () => {
  test('ends the process with a one-line error and acknowledges no further write', async () => {
    await using fresh = await freshStorage('sqlite');
    assert.deepEqual(await writeOnFailingDisk(fresh.storage.dataDir), {
      code: 1,
      output: '1\n2\n3\n',
      errors: 'The disk refused to sync (EIO: i/o error, fdatasync): stopping, as nothing more can be promised.\n',
    });
  });
});

/** Minimum number of rows that are written between two cuts, however slow the machine is. */
const rowsPerCut = 60;

const program = fileURLToPath(new URL('../../../test/kit/write-for-ever.ts', import.meta.url));

const skipReason = await cannotMount();

if (skipReason) {
  process.stderr.write(`Skipping the power cut tests: ${skipReason}\n`);
} else {
  describe('a power cut', () => {
    test('loses no acknowledged row at any moment', async (t) => {
      const { rows, lost } = await cutPower('synced', 10, t.signal);
      t.diagnostic(`10 power cuts: ${lost} of ${rows} acknowledged rows lost`);
      assert.equal(lost, 0);
      assert.ok(rows >= 10 * rowsPerCut);
    });

    test('loses acknowledged rows without the sync', async (t) => {
      const { rows, lost } = await cutPower('unsynced', 2, t.signal);
      t.diagnostic(`2 power cuts without the sync: ${lost} of ${rows} acknowledged rows lost`);
      assert.ok(lost > 0);
    });
  });
}

/** Resolves to the number of rows acknowledged before the last cut, and the number lost over all cuts. */
async function cutPower(
  mode: 'synced' | 'unsynced',
  cuts: number,
  signal: AbortSignal,
): Promise<{ rows: number; lost: number }> {
  await using disk = await newDisk();
  const writing = spawn(process.execPath, [program, disk.path, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: number[] = [];
  createInterface(writing.stdout).on('line', (line) => acknowledged.push(Number(line)));
  let rows = 0;
  let lost = 0;
  try {
    while (acknowledged.length === 0) await sleep(5, undefined, { signal });
    for (let cut = 0; cut < cuts; cut += 1) {
      while (acknowledged.length < rows + rowsPerCut) await sleep(5, undefined, { signal });
      if (cut % 2 === 0) await sleep(Math.random() * 200);
      else await duringCheckpoint(disk, signal);
      await freeze(writing);
      rows = acknowledged.length;
      const before = acknowledged.slice();
      const found = await survivors(disk);
      resume(writing);
      lost += before.filter((id) => !found.has(id)).length;
    }
  } finally {
    const exited = once(writing, 'exit');
    writing.kill('SIGKILL');
    await exited;
  }
  return { rows, lost };
}

/** Waits for a random moment of a checkpoint. Only a checkpoint changes the database file. */
async function duringCheckpoint(disk: Disk, signal: AbortSignal): Promise<void> {
  const changed = () => statSync(sqliteFile(disk.path)).mtimeMs;
  const before = changed();
  while (changed() === before) await sleep(1, undefined, { signal });
  await sleep(Math.random() * 20);
}

/** The rows that exist after the power cut; fails if the database is damaged. */
async function survivors(disk: Disk): Promise<Set<number>> {
  await using copy = await disk.afterPowerCut();
  const db = await openDatabase({ databaseUrl: undefined, dataDir: copy.path }, assert.fail);
  const integrity = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.read);
  const posts = await db.read.selectFrom('posts').select(['id', 'text', 'likes_count']).execute();
  await db.close();
  assert.deepEqual(
    integrity.rows.map((row) => row.integrity_check),
    ['ok'],
  );
  const written = posts.filter(({ text }) => text === '').map(({ id }) => id);
  // Each transaction also increments a counter in another row.
  assert.equal(
    posts.reduce((sum, post) => sum + post.likes_count, 0),
    written.length,
  );
  return new Set(written);
}

const addUser = ({ tx }: Database, username: string): Promise<number> =>
  tx((opened) => createUser(opened, { username, email: `${username}@example.com`, now: 1 }));

/** Takes the write lock as another process does; returns the function that releases it. */
function lock(t: TestContext, { dataDir }: StorageSettings): () => void {
  const other = new DatabaseSync(sqliteFile(dataDir));
  t.after(() => other.close());
  other.exec('begin immediate');
  return () => other.exec('commit');
}

describe("another process's write lock", () => {
  test('delays writes but not reads or health checks', async (t) => {
    await using fresh = await openFresh('sqlite');
    await using wall = await wallOver(fresh.db);
    const release = lock(t, fresh.storage);
    let isWritten = false;
    const written = addUser(fresh.db, 'patient').then(() => (isWritten = true));
    for (const path of ['/healthz', '/readyz', '/api/v1/posts']) assert.equal((await wall.get(path)).status, 200);
    assert.equal(isWritten, false);
    release();
    await written;
  });

  test('of more than 5 s fails all waiting writes as unavailable, and later writes succeed', async (t) => {
    await using fresh = await openFresh('sqlite');
    const release = lock(t, fresh.storage);
    const now = performance.now.bind(performance);
    let ahead = 0;
    t.mock.method(performance, 'now', () => now() + ahead);
    let failed = 0;
    const tried = t.mock.method(DatabaseSync.prototype, 'exec');
    const waiting = Array.from({ length: 200 }, (_, i) =>
      assert.rejects(addUser(fresh.db, `user_${i}`), StorageUnavailable).then(() => (failed += 1)),
    );
    await pollWithin(1_000, () => (tried.mock.callCount() > 2 ? true : undefined));
    assert.equal(failed, 0);
    ahead = 5_000;
    await Promise.all(waiting);
    release();
    assert.equal(await addUser(fresh.db, 'next'), 1);
  });
});
