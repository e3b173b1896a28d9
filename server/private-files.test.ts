import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { done } from '../test/backup-process.ts';
import { runCommand } from '../test/command-process.ts';
import { device } from '../test/door.ts';
import { freshPlace, type Place } from '../test/engines.ts';
import { startServer } from '../test/server-process.ts';

/** A data folder that is not there yet, for processes that inherit the usual umask. */
async function newPlace(t: TestContext): Promise<Place> {
  const { place, remove } = await freshPlace('sqlite');
  const inherited = process.umask(0o022);
  t.after(async () => {
    process.umask(inherited);
    await remove();
  });
  return { ...place, dataDir: join(place.dataDir, 'data') };
}

/** The folder and all that is in it. */
async function modesIn(folder: string): Promise<Array<[string, string]>> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const mode = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8);
  return Promise.all(names.toSorted().map(async (name) => [name.replace(/\d.*\.eml/, 'x.eml'), await mode(name)]));
}

test('what the server makes its owner alone may read: folder, database, secret, mails', async (t) => {
  const place = await newPlace(t);
  const server = await startServer(place, { LOG_LEVEL: 'error' });
  t.after(() => server.stop());
  const answer = await fetch(`${server.address}/api/v1/registrations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'anna@example.org', clientToken: 'client', device }),
  });
  assert.equal(answer.status, 201);
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

test('and what the commands make', async (t) => {
  const place = await newPlace(t);
  const { code, errors } = await runCommand('demo/main.ts', place, ['--posts', '10']);
  assert.equal(code, 0, errors);
  assert.deepEqual(await modesIn(place.dataDir), [
    ['.', '700'],
    ['stena.sqlite', '600'],
  ]);
  const file = join(place.dataDir, 'wall.backup');
  await done(place, 'backup', file);
  const anew = { ...place, dataDir: join(place.dataDir, 'anew') };
  await done(anew, 'restore', file);
  assert.deepEqual(await modesIn(anew.dataDir), [
    ['.', '700'],
    ['stena.sqlite', '600'],
  ]);
});
