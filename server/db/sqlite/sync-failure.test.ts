import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { freshPlace } from '../../../test/kit/engines.ts';

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
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, output, errors };
}

describe('a disk that fails to sync', () => {
  it('ends the process with a one-line error and acknowledges no further write', async () => {
    await using fresh = await freshPlace('sqlite');
    assert.deepEqual(await writeOnFailingDisk(fresh.place.dataDir), {
      code: 1,
      output: '1\n2\n3\n',
      errors: 'The disk refused to sync (EIO: i/o error, fdatasync): stopping, as nothing more can be promised.\n',
    });
  });
});
