import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { freshPlace } from '../../../test/engines.ts';
import { createUser } from '../../account/store.ts';
import { sqliteFile } from '../open-database.ts';
import { openSqlite } from './open-sqlite.ts';
import { fileSync } from './wal-sync.ts';

/** As many as a group does not wait for the disk with. */
const crowd = 20;
const whileMs = 100;

/** A database on a disk that takes until it is told to end each sync. */
async function openOnSlowDisk(t: TestContext) {
  const { place, remove } = await freshPlace('sqlite');
  const syncs: Array<() => void> = [];
  const db = await openSqlite(sqliteFile(place.dataDir), {
    sync: () => new Promise((resolve) => syncs.push(resolve)),
    onSyncFailure: assert.fail,
    onDamage: assert.fail,
  });
  t.after(async () => {
    await db.close();
    await remove();
  });
  const acknowledged: string[] = [];
  return {
    acknowledged,
    async write(username: string) {
      await db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now: 1 }));
      acknowledged.push(username);
    },
    async names() {
      const users = await db.read.selectFrom('users').select('username').orderBy('id').execute();
      return users.map(({ username }) => username);
    },
    /** Resolves when the disk is asked for its next sync, to what ends it. */
    async nextSync() {
      while (syncs.length === 0) await sleep(1);
      return syncs.shift()!;
    },
  };
}

describe('a slow disk', () => {
  it('holds up the answers to writes, but no reading', async (t) => {
    const { acknowledged, write, names, nextSync } = await openOnSlowDisk(t);
    const writing = write('anna');
    const end = await nextSync();
    await sleep(whileMs);
    assert.deepEqual(acknowledged, []);
    const from = performance.now();
    assert.deepEqual(await names(), ['anna']);
    assert.ok(performance.now() - from < whileMs);
    end();
    await writing;
    assert.deepEqual(acknowledged, ['anna']);
  });

  it('answers for what was committed before a sync began, and for nothing later', async (t) => {
    const { acknowledged, write, names, nextSync } = await openOnSlowDisk(t);
    const first = write('anna');
    const endFirst = await nextSync();
    const later = Array.from({ length: crowd }, (_, i) => write(`later_${i}`));
    while ((await names()).length < 1 + crowd) await sleep(1);
    endFirst();
    await first;
    const endSecond = await nextSync();
    await sleep(whileMs);
    assert.deepEqual(acknowledged, ['anna']);
    endSecond();
    await Promise.all(later);
    assert.equal(acknowledged.length, 1 + crowd);
  });

  it('is asked without standing still', async (t) => {
    const { place, remove } = await freshPlace('sqlite');
    t.after(remove);
    const file = await open(join(place.dataDir, 'file'), 'w');
    const asked = fileSync(file.fd);
    assert.match(inspect(asked), /<pending>/);
    await asked;
    await file.close();
  });
});
