import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { device } from '../../../test/kit/sign-in.ts';
import { type FreshPlace, freshPlace } from '../../../test/kit/engines.ts';
import { startServer } from '../../../test/kit/server-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { createPost } from '../../features/posts/writes.ts';
import { openDatabase, sqliteFile } from '../open-database.ts';

const pageBytes = 4_096;

/** A wall with more posts than fit into the page cache of a connection. */
async function wall(t: TestContext): Promise<FreshPlace['place']> {
  const { place, remove } = await freshPlace('sqlite');
  t.after(remove);
  const db = await openDatabase(place, assert.fail);
  const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 1 }));
  await db.tx(async (tx) => {
    for (let i = 0; i < 300; i += 1) await createPost(tx, { userId, text: 'я'.repeat(900), now: 1 });
  });
  await db.close();
  return place;
}

/** Overwrites the file from the given page on, as a failing disk or another program would. */
async function overwrite(file: string, fromPage: number): Promise<void> {
  const handle = await open(file, 'r+');
  const { size } = await handle.stat();
  await handle.write(Buffer.alloc(size - fromPage * pageBytes, 0xff), 0, undefined, fromPage * pageBytes);
  await handle.close();
}

const damageMessage = (file: string): RegExp =>
  new RegExp(`^The database ${file} is damaged \\(.+\\): .*\\./stena restore FILE --replace.*\\.\\n$`);

describe('a damaged database', () => {
  it('ends the process with an error that names the file when a read detects it', async (t) => {
    const place = await wall(t);
    const file = sqliteFile(place.dataDir);
    const server = await startServer(place, { LOG_LEVEL: 'silent' });
    t.after(() => server.stop('SIGKILL'));
    await overwrite(file, 1);
    for (let id = 1; id <= 300 && server.child.exitCode === null; id += 10)
      await fetch(`${server.address}/api/v1/posts/${id}`).catch(() => {});
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 1);
    assert.match(await server.logs, damageMessage(file));
  });

  it('ends the process with an error that names the file when a write detects it', async (t) => {
    const place = await wall(t);
    const file = sqliteFile(place.dataDir);
    const server = await startServer(place, { LOG_LEVEL: 'silent' });
    t.after(() => server.stop('SIGKILL'));
    await overwrite(file, 1);
    const body = JSON.stringify({ email: 'boris@example.org', clientToken: 'client', device });
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    for (let i = 0; i < 5 && server.child.exitCode === null; i += 1)
      await fetch(`${server.address}/api/v1/registrations`, request).catch(() => {});
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 1);
    assert.match(await server.logs, damageMessage(file));
  });

  it('is reported at startup with the command that restores a backup', async (t) => {
    const place = await wall(t);
    const file = sqliteFile(place.dataDir);
    await overwrite(file, 0);
    await assert.rejects(startServer(place), ({ message }: Error) => {
      assert.match(message.replace('The server did not start:\n', ''), damageMessage(file));
      return true;
    });
    await writeFile(file, 'not a database at all, but long enough to be looked at'.repeat(20));
    await assert.rejects(startServer(place), ({ message }: Error) => {
      assert.match(message.replace('The server did not start:\n', ''), damageMessage(file));
      return true;
    });
  });
});
