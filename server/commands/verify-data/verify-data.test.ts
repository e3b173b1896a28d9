import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorOf, outputOf, runCommand } from '../../../test/kit/command-process.ts';
import { engines, freshPlace, openFresh } from '../../../test/kit/engines.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import type { Database } from '../../db/database.ts';
import { changeText, createPost, deletePost, lockPost } from '../../features/posts/writes.ts';

const program = 'server/commands/verify-data/main.ts';

const posts = 1_000;
const editors = 4;

/** Publishes, deletes and edits posts, many of them at the same moment, until `ended`; resolves to the number of rounds. */
async function writeUntil(db: Database, userId: number, ended: Promise<unknown>): Promise<number> {
  let rounds = 0;
  const edit = (id: number): Promise<void> =>
    db.tx(async (tx) => {
      for (let i = id; i <= posts; i += 100)
        await changeText(tx, (await lockPost(tx, i))!, `другой текст ${rounds}`, 0);
    });
  const isOver = ended.then(() => true);
  for (; !(await Promise.race([isOver, sleep(0, false)])); rounds += 1) {
    const id = await db.tx((tx) => createPost(tx, { userId, text: `новая запись ${rounds}`, now: 0 }));
    await Promise.all(Array.from({ length: editors }, (_, i) => edit(i + 1)));
    if (rounds % 2 === 0) await db.tx(async (tx) => deletePost(tx, (await lockPost(tx, id))!, 0));
  }
  return rounds;
}

for (const engine of engines) {
  describe(`verify-data on ${engine}`, () => {
    test('reports each wrong count and fails', async () => {
      await using opened = await openFresh(engine);
      const { db, place } = opened;
      const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 }));
      await db.tx((tx) => createPost(tx, { userId, text: 'запись', now: 0 }));
      assert.equal(outputOf(await runCommand(program, place, []), []), 'All counts are right.\n');

      await db.tx((tx) => tx.db.updateTable('users').set({ posts_count: 5 }).execute());
      const { code, output } = await runCommand(program, place, []);
      assert.deepEqual([code, output], [1, `users.posts_count of ${userId}: stored 5, counted 1\n1 counts differ.\n`]);
    });

    test('finds no difference while people write', async () => {
      await using opened = await openFresh(engine);
      const { db, place } = opened;
      const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 }));
      await db.tx(async (tx) => {
        for (let i = 0; i < posts; i += 1) await createPost(tx, { userId, text: `запись ${i}`, now: 0 });
      });
      const run = runCommand(program, place, []);
      const rounds = await writeUntil(db, userId, run);
      assert.equal(outputOf(await run, []), 'All counts are right.\n');
      assert.ok(rounds > 0);
    });

    test('refuses where there is no wall, and creates none', async () => {
      await using fresh = await freshPlace(engine);
      for (let i = 0; i < 2; i += 1) {
        assert.match(errorOf(await runCommand(program, fresh.place, []), []), /^Стены здесь ещё нет/);
      }
      assert.deepEqual(await readdir(fresh.place.dataDir), []);
    });
  });
}
