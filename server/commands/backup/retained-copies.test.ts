import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { mustSucceedWith, enginesToCopy, freshStorageToCopy, program } from '../../../test/kit/backup-process.ts';
import { runCommand } from '../../../test/kit/command-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import type { Engine, StorageSettings } from '../../../test/kit/engines.ts';
import { openDatabase } from '../../db/open-database.ts';
import { createPost } from '../../features/posts/post-writes.ts';
import { lastCopyCheck } from '../../ops/backups.ts';
import { everyNight, nextNight } from './every-night.ts';
import { noteCounts, removeOldCopies } from './retained-copies.ts';

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stena-copies-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Makes files by name and age in days. A backup gets a checksum file, the leftover of a killed backup gets none. */
async function folderWith(t: TestContext, ages: Record<string, number>): Promise<string> {
  const folder = await emptyFolder(t);
  for (const [name, days] of Object.entries(ages)) {
    const seconds = Date.now() / 1_000 - days * 86_400;
    const files = name.endsWith('.backup') ? [name, `${name}.sha256`] : [name];
    for (const [i, file] of files.entries()) {
      await writeFile(join(folder, file), '');
      await utimes(join(folder, file), seconds + i, seconds + i);
    }
  }
  return folder;
}

/** The names of the files that stay. The checksum file of a backup must stay or go with the backup, and is not listed. */
async function storedOf(folder: string, second?: string): Promise<string[]> {
  await removeOldCopies(folder, second);
  const files = (await readdir(folder)).filter((name) => !name.endsWith('.counts')).toSorted();
  const names = files.filter((name) => !name.endsWith('.sha256'));
  const sums = names.filter((name) => name.endsWith('.backup')).map((name) => `${name}.sha256`);
  assert.deepEqual(files, [...names, ...sums].toSorted());
  return names;
}

/** Backups of successive nights, the last of which was made `newest` days and some minutes ago. */
const nights = (count: number, newest = 0): Record<string, number> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`night ${String(i).padStart(2, '0')}.backup`, newest + i + 0.01]),
  );

test('copies of the last 14 nights are kept in both places, with those made by hand meanwhile and by a clock that is ahead', async (t) => {
  const byHand = { 'before-upgrade.backup': 13.5, 'today.backup': 0.1 };
  const left = { 'old.backup': 40, 'night 17.backup.abc': 17 };
  const kept = await storedOf(await folderWith(t, { ...nights(20), ...byHand, ...left }));
  assert.deepEqual(kept, [...Object.keys(byHand), ...Object.keys(nights(15))].toSorted());
  const ahead = await storedOf(await folderWith(t, { ...nights(20, 400), 'today.backup': 0 }));
  assert.deepEqual(ahead, [...Object.keys(nights(13)), 'today.backup']);
  for (const fewer of [13, 1]) assert.equal((await storedOf(await folderWith(t, nights(fewer, 400)))).length, fewer);
  const second = await folderWith(t, nights(20));
  await storedOf(await folderWith(t, nights(1)), second);
  assert.equal((await readdir(second)).length, 2 * 15);
});

test('the last proven copy stays, and the last that held twice as much, in both places', async (t) => {
  const [folder, second] = [await folderWith(t, nights(20)), await folderWith(t, nights(20))];
  const note = (night: number, users: number, posts: number) =>
    noteCounts(join(folder, `night ${night}.backup`), { users, posts });
  await note(16, 9, 5);
  await note(17, 9, 9);
  await note(18, 9, 10);
  await note(19, 9, 100);
  const stored = [...Object.keys(nights(15)), 'night 16.backup', 'night 18.backup'];
  assert.deepEqual(await storedOf(folder, second), stored);
  assert.deepEqual(await storedOf(second), Object.keys(nights(15)), 'only the first place has counts');
});

async function failed(storage: StorageSettings, folder: string, settings: NodeJS.ProcessEnv = {}) {
  const PATH = process.env['PATH'];
  const run = await runCommand(program, storage, ['nightly-copy', folder], { PATH, ...settings });
  assert.equal(run.code, 1, run.output);
  return run;
}

async function wallOf(t: TestContext, engine: Engine, posts: number): Promise<StorageSettings> {
  const { storage, remove } = await freshStorageToCopy(engine);
  t.after(remove);
  const db = await openDatabase(storage, assert.fail);
  await db.tx(async (tx) => {
    const userId = await createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 1 });
    for (let i = 0; i < posts; i += 1) await createPost(tx, { userId, text: 'привет', now: 1 });
  });
  await db.close();
  return storage;
}

for (const engine of await enginesToCopy()) {
  test(`the nightly copy of a wall on ${engine} that has shrunk by half is reported`, async (t) => {
    const [wall, emptied, folder] = [await wallOf(t, engine, 20), await wallOf(t, engine, 10), await emptyFolder(t)];
    const said =
      /^Копия сделана .*\nИз копии восстановилась стена: записей и ответов 20, .*\nСтарые копии удалены\.\n$/;
    assert.match(await mustSucceedWith({}, wall, 'nightly-copy', folder), said);
    const [night] = (await readdir(folder)).toSorted();
    await utimes(join(folder, night!), 1, 1);
    await mkdir(join(folder, 'other'));

    const { errors } = await failed(emptied, folder);
    const shrunk = `людей 1 → 1, записей и ответов 20 → 10; прежняя копия ${night}`;
    assert.ok(errors.startsWith(`Копия сходится со стеной, но стена стала меньше вдвое: ${shrunk}. `), errors);
    const db = await openDatabase(emptied, assert.fail);
    const check = await lastCopyCheck(db.read);
    await db.close();
    assert.deepEqual([check?.posts, check?.differences, check?.shrunk], [10, 0, shrunk]);
  });
}

test('a second place that is gone keeps neither the check of the copy nor the removal of old ones', async (t) => {
  const wall = await wallOf(t, 'sqlite', 1);
  const folder = await folderWith(t, nights(20));
  const { output, errors } = await failed(wall, folder, { COPY_TO: join(folder, 'gone') });
  assert.match(errors, /^Копия сделана и проверена: .* \(COPY_TO\) нет: .*ENOENT[^\n]*\n$/);
  assert.match(output, /^Из копии восстановилась стена: записей и ответов 1, расхождений 0[^\n]*\n$/);
  assert.equal((await readdir(folder)).filter((name) => name.endsWith('.backup')).length, 16);
});

test('as a service works once every night at half past three, whatever has become of the night before', async () => {
  const at = (text: string) => new Date(text);
  assert.deepEqual(nextNight(at('2026-11-29T03:29:59')), at('2026-11-29T03:30:00'));
  assert.deepEqual(nextNight(at('2026-11-29T03:30:00')), at('2026-11-30T03:30:00'));
  assert.deepEqual(nextNight(at('2026-12-31T12:00:00')), at('2027-01-01T03:30:00'));

  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: at('2026-11-29T12:00:00') });
  syncBuiltinESMExports();
  const worked: string[] = [];
  const end = new Error('the end of the test');
  const working = everyNight(async () => {
    worked.push(new Date().toLocaleString('sv'));
    if (worked.length === 3) throw end;
  });
  const ended = assert.rejects(working, end);
  for (let minute = 0; worked.length < 3 && minute < 3 * 24 * 60; minute += 1) {
    mock.timers.tick(60_000);
    await new Promise(setImmediate);
  }
  mock.timers.reset();
  syncBuiltinESMExports();
  assert.deepEqual(worked, ['2026-11-30 03:30:00', '2026-12-01 03:30:00', '2026-12-02 03:30:00']);
  await ended;
});
