import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { errorOf, outputOf, runCommand } from '../../../test/kit/command-process.ts';
import { engines, freshPlace, openFresh } from '../../../test/kit/engines.ts';
import { createUser } from '../../features/account/store.ts';
import { createPost } from '../../features/posts/writes.ts';

const program = 'server/commands/verify-data/main.ts';

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

    test('refuses where there is no wall, and creates none', async () => {
      await using fresh = await freshPlace(engine);
      for (let i = 0; i < 2; i += 1) {
        assert.match(errorOf(await runCommand(program, fresh.place, []), []), /^Стены здесь ещё нет/);
      }
      assert.deepEqual(await readdir(fresh.place.dataDir), []);
    });
  });
}
