import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { freshPlace } from '../../../test/kit/engines.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { sqliteFile } from '../open-database.ts';
import { openSqlite } from './open-sqlite.ts';
import { fileSync } from './wal-sync.ts';

/** More than a large group, which is committed without waiting for the running sync. */
const laterWrites = 20;
const pauseMs = 20;

/** A database whose syncs end only when the test ends them. */
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
    /** Resolves at the start of the next sync to the function that ends it. */
    async nextSync() {
      while (syncs.length === 0) await sleep(1);
      return syncs.shift()!;
    },
  };
}

describe('a slow disk', () => {
  it('delays the acknowledgement of writes but not reads', async (t) => {
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

  it('acknowledges only commits made before the sync began', async (t) => {
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

  it('does not block the event loop during a sync', async () => {
    await using fresh = await freshPlace('sqlite');
    const file = await open(join(fresh.place.dataDir, 'file'), 'w');
    const syncing = fileSync(file.fd);
    assert.match(inspect(syncing), /<pending>/);
    await syncing;
    await file.close();
  });
});
