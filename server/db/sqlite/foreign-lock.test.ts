import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFresh } from '../../../test/kit/engines.ts';
import { lockFor } from '../../../test/kit/foreign-lock.ts';
import { wallOver } from '../../../test/kit/wall.ts';
import { createUser } from '../../features/account/store.ts';
import { type Database, StorageUnavailable } from '../database.ts';

const addUser = ({ tx }: Database, username: string): Promise<number> =>
  tx((open) => createUser(open, { username, email: `${username}@example.com`, now: 1 }));

describe("another process's write lock", { concurrency: true }, () => {
  it('of 2 s delays writes but not reads or health checks', async (t) => {
    const { db, place, close } = await openFresh('sqlite');
    const { app } = await wallOver(db);
    t.after(async () => {
      await app.close();
      await close();
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;

    const lock = await lockFor(2_000, place.dataDir);
    const startedAt = performance.now();
    const written = addUser(db, 'patient').then(() => performance.now() - startedAt);
    let slowest = 0;
    while (lock.isHeld()) {
      for (const path of ['/healthz', '/readyz', '/api/v1/posts']) {
        const start = performance.now();
        const response = await fetch(`http://127.0.0.1:${port}${path}`);
        await response.arrayBuffer();
        assert.equal(response.status, 200);
        slowest = Math.max(slowest, performance.now() - start);
      }
      await sleep(20);
    }
    // A read that waited for the lock would take up to 2 s.
    assert.ok(slowest < 1_000, `a response took ${slowest} ms`);
    const waited = await written;
    assert.ok(waited > 1_500 && waited < 4_000, `the write took ${waited} ms`);
  });

  it('of more than 5 s fails all waiting writes as unavailable, and later writes succeed', async (t) => {
    const { db, place, close } = await openFresh('sqlite');
    t.after(close);
    const { released } = await lockFor(7_000, place.dataDir);
    const startedAt = performance.now();
    const waiting = Array.from({ length: 200 }, (_, i) => assert.rejects(addUser(db, `user_${i}`), StorageUnavailable));
    await Promise.all(waiting);
    const waited = performance.now() - startedAt;
    assert.ok(waited > 4_900 && waited < 6_500, `the writes failed after ${waited} ms`);
    await released;
    assert.equal(await addUser(db, 'next'), 1);
  });
});
