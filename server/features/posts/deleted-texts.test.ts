import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conversation, differences, secret, undo } from '../../../test/kit/conversation.ts';
import { engines, openFresh } from '../../../test/kit/engines.ts';
import { isInFiles, leavesFiles } from '../../../test/kit/left-in-files.ts';
import { deleteAccount, outcome, renew } from '../../../test/kit/member.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { type Wall, wallOver } from '../../../test/kit/wall.ts';
import { deleteOwnPost } from './own-deletion.ts';
import { lockPost } from './writes.ts';

/** The tables in which the text is stored. */
async function placesOf(wall: Pick<Wall, 'db'>): Promise<string[]> {
  const tables = ['posts', 'removed_posts', 'reports', 'changes', 'jobs', 'idempotency_keys', 'operator_log'] as const;
  const found: string[] = [];
  for (const table of tables) {
    const rows = await wall.db.read.selectFrom(table).selectAll().execute();
    if (JSON.stringify(rows).includes(secret)) found.push(table);
  }
  return found;
}

for (const engine of engines) {
  describe(`taking back a deletion on ${engine}`, () => {
    test('afterwards no table holds the text or what belonged to it', async () => {
      const { wall, anna, post } = await conversation(engine);
      await using _ = wall;
      await anna.send('DELETE', `/posts/${post.id}`);
      wall.clock.now += 300;
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await placesOf(wall), ['posts', 'removed_posts']);
      wall.clock.now += 16;
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await placesOf(wall), ['posts'], 'the reply of somebody else');
      for (const table of ['removed_posts', 'removed_likes', 'removed_notifications'] as const) {
        assert.deepEqual(await wall.db.read.selectFrom(table).selectAll().execute(), [], table);
      }
      assert.deepEqual(await differences(wall), []);
    });

    test('a clock that was ahead keeps no text, and one that was behind loses no post for good', async () => {
      const { wall, anna, boris, post, reply } = await conversation(engine);
      await using _ = wall;
      await runJobs(wall.db, wall.clock.now);
      wall.clock.now += 1_000;
      await renew(anna);
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${post.id}`)), [204]);
      wall.clock.now -= 1_000;
      await renew(anna);
      assert.deepEqual(await outcome(undo(anna, post.id)), [404, 'NOT_FOUND']);
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await wall.db.read.selectFrom('removed_posts').selectAll().execute(), []);
      assert.deepEqual(await outcome(boris.send('DELETE', `/posts/${reply.id}`)), [204]);
      wall.clock.now -= 100;
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await outcome(undo(boris, reply.id)), [200], 'a small correction takes nothing away');
    });

    test('deleting the account removes the text at once', async () => {
      const { wall, anna, boris, post } = await conversation(engine);
      await using _ = wall;
      wall.clock.now += 61;
      await anna.send('DELETE', `/posts/${post.id}`);
      assert.ok((await placesOf(wall)).includes('removed_posts'));
      await deleteAccount(wall, anna);
      assert.ok(!(await placesOf(wall)).includes('removed_posts'), 'no job has run');
      assert.equal((await boris.send('GET', '/posts?filter=liked')).json().total, 2);
      assert.deepEqual(await differences(wall), []);
    });
  });
}

test('the text of a deleted post leaves the files of SQLite after its time to be restored', async () => {
  await using fresh = await openFresh('sqlite');
  await using wall = await wallOver(fresh.db);
  const anna = await wall.person('anna_k');
  await wall.post(anna, 'остаётся');
  const id = await wall.post(anna, secret);
  await wall.db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, wall.clock.now));
  assert.ok(await isInFiles(fresh.place, secret));
  wall.clock.now += 301;
  assert.ok(await leavesFiles(wall, fresh.place, secret));
});
