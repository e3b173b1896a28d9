import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFresh, type Place } from '../../../test/kit/engines.ts';
import { wallOver } from '../../../test/kit/wall.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { type Database, StorageUnavailable } from '../database.ts';
import { sqliteFile } from '../open-database.ts';

const addUser = ({ tx }: Database, username: string): Promise<number> =>
  tx((open) => createUser(open, { username, email: `${username}@example.com`, now: 1 }));

/** Takes the write lock as another process does; resolves to what releases it. */
function lock(t: TestContext, { dataDir }: Place): () => void {
  const other = new DatabaseSync(sqliteFile(dataDir));
  t.after(() => other.close());
  other.exec('begin immediate');
  return () => other.exec('commit');
}

describe("another process's write lock", () => {
  it('delays writes but not reads or health checks', async (t) => {
    await using fresh = await openFresh('sqlite');
    await using wall = await wallOver(fresh.db);
    const release = lock(t, fresh.place);
    let isWritten = false;
    const written = addUser(fresh.db, 'patient').then(() => (isWritten = true));
    for (const path of ['/healthz', '/readyz', '/api/v1/posts']) assert.equal((await wall.get(path)).status, 200);
    assert.equal(isWritten, false);
    release();
    await written;
  });

  it('of more than 5 s fails all waiting writes as unavailable, and later writes succeed', async (t) => {
    await using fresh = await openFresh('sqlite');
    const release = lock(t, fresh.place);
    const now = performance.now.bind(performance);
    let ahead = 0;
    t.mock.method(performance, 'now', () => now() + ahead);
    let failed = 0;
    const waiting = Array.from({ length: 200 }, (_, i) =>
      assert.rejects(addUser(fresh.db, `user_${i}`), StorageUnavailable).then(() => (failed += 1)),
    );
    // The lock is asked for again every 50 ms.
    await sleep(100);
    assert.equal(failed, 0);
    ahead = 5_000;
    await Promise.all(waiting);
    release();
    assert.equal(await addUser(fresh.db, 'next'), 1);
  });
});
