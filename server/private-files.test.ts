import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { done } from '../test/kit/backup-process.ts';
import { runCommand } from '../test/kit/command-process.ts';
import { device } from '../test/kit/sign-in.ts';
import { freshPlace, type Place } from '../test/kit/engines.ts';
import { startServer } from '../test/kit/server-process.ts';

/** A data folder that does not exist yet, for processes that inherit a umask of 022. */
async function newPlace(t: TestContext): Promise<Place> {
  const { place, remove } = await freshPlace('sqlite');
  const inherited = process.umask(0o022);
  t.after(async () => {
    process.umask(inherited);
    await remove();
  });
  return { ...place, dataDir: join(place.dataDir, 'data') };
}

/** Permissions of a folder and of everything in it. */
async function modesIn(folder: string): Promise<Array<[string, string]>> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const mode = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8);
  return Promise.all(names.toSorted().map(async (name) => [name.replace(/\d.*\.eml/, 'x.eml'), await mode(name)]));
}

test('only the owner can read the folder, database, secret and mails of the server', async (t) => {
  const place = await newPlace(t);
  const server = await startServer(place, { LOG_LEVEL: 'error' });
  t.after(() => server.stop());
  const response = await fetch(`${server.address}/api/v1/registrations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'anna@example.org', clientToken: 'client', device }),
  });
  assert.equal(response.status, 201);
  while ((await modesIn(place.dataDir)).length < 7) await pause(20);
  assert.deepEqual(await modesIn(place.dataDir), [
    ['.', '700'],
    ['mail', '700'],
    ['mail/x.eml', '600'],
    ['secret', '600'],
    ['stena.sqlite', '600'],
    ['stena.sqlite-shm', '600'],
    ['stena.sqlite-wal', '600'],
  ]);
});

test('only the owner can read the files that commands create', async (t) => {
  const place = await newPlace(t);
  const { code, errors } = await runCommand('demo/main.ts', place, ['--posts', '10']);
  assert.equal(code, 0, errors);
  assert.deepEqual(await modesIn(place.dataDir), [
    ['.', '700'],
    ['stena.sqlite', '600'],
  ]);
  const file = join(place.dataDir, 'wall.backup');
  await done(place, 'backup', file);
  const target = { ...place, dataDir: join(place.dataDir, 'target') };
  await done(target, 'restore', file);
  assert.deepEqual(await modesIn(target.dataDir), [
    ['.', '700'],
    ['stena.sqlite', '600'],
  ]);
});
