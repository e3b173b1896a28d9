import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFresh } from '../../../test/engines.ts';
import { lockFor } from '../../../test/foreign-lock.ts';
import { wallOver } from '../../../test/wall.ts';
import { createUser } from '../../account/store.ts';
import { type Database, StorageUnavailable } from '../database.ts';

const addUser = ({ tx }: Database, username: string): Promise<number> =>
  tx((open) => createUser(open, { username, email: `${username}@example.com`, now: 1 }));

describe("another process's write lock", { concurrency: true }, () => {
  it('of 2 s holds up writes and nothing else', async (t) => {
    const { db, place, close } = await openFresh('sqlite');
    const { app } = await wallOver(db);
    t.after(async () => {
      await app.close();
      await close();
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;

    const lock = await lockFor(2_000, place.dataDir);
    const from = performance.now();
    const written = addUser(db, 'patient').then(() => performance.now() - from);
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
    assert.ok(slowest < 300, `an answer took ${slowest} ms`);
    const waited = await written;
    assert.ok(waited > 1_500 && waited < 4_000, `the write took ${waited} ms`);
  });

  it('of more than 5 s makes writes fail as unavailable, however many wait, and the next ones go through', async (t) => {
    const { db, place, close } = await openFresh('sqlite');
    t.after(close);
    const { released } = await lockFor(7_000, place.dataDir);
    const from = performance.now();
    const waiting = Array.from({ length: 200 }, (_, i) => assert.rejects(addUser(db, `user_${i}`), StorageUnavailable));
    await Promise.all(waiting);
    const waited = performance.now() - from;
    assert.ok(waited > 4_900 && waited < 6_500, `they were refused after ${waited} ms`);
    await released;
    assert.equal(await addUser(db, 'next'), 1);
  });
});
