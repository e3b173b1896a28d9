import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { cannotCopy, done, freshPlaceToCopy } from '../../../test/kit/backup-process.ts';
import { engines, type Place } from '../../../test/kit/engines.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openDatabase } from '../../db/open-database.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { deleteOwnPost } from '../../features/posts/own-deletion.ts';
import { createPost, lockPost } from '../../features/posts/writes.ts';
import { runTool } from './postgres-tools.ts';

const now = 1_700_000_000;
const text = 'то, что передумали говорить';

/** Whether a new backup contains the text. */
async function isInBackup(place: Place, name: string): Promise<boolean> {
  const file = join(place.dataDir, name);
  await done(place, 'backup', file);
  if (place.databaseUrl) return (await runTool('pg_restore', ['--file=-', file])).includes(text);
  return (await readFile(file)).includes(text);
}

for (const engine of engines) {
  const skipReason = await cannotCopy(engine);
  if (skipReason) {
    process.stderr.write(`Skipping the backup tests on ${engine}: ${skipReason}\n`);
    continue;
  }

  test(`a backup holds no text whose deletion can no longer be taken back, on ${engine}`, async (t) => {
    const { place, remove } = await freshPlaceToCopy(engine);
    const db = await openDatabase(place, assert.fail);
    t.after(async () => {
      await db.close();
      await remove();
    });
    const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now }));
    const id = await db.tx((tx) => createPost(tx, { userId, text, now }));
    await db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, now));
    assert.equal(await isInBackup(place, 'before'), true, 'it can still be taken back');
    await runJobs(db, now + limits.undoDeletionSeconds + 1);
    assert.equal(await isInBackup(place, 'after'), false);
  });
}
