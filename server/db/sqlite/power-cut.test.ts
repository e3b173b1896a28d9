import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { cannotMount, type Disk, newDisk } from '../../../test/kit/disk.ts';
import { WritingProcess } from '../../../test/kit/power-cut/writing-process.ts';
import { openDatabase, sqliteFile } from '../open-database.ts';

/** At least as many are written between two cuts, however slow the machine is. */
const rowsPerCut = 60;

const skipReason = await cannotMount();

if (skipReason) {
  process.stderr.write(`Skipping the power cut tests: ${skipReason}\n`);
} else {
  describe('a power cut', () => {
    it('loses no acknowledged row at any moment', async (t) => {
      const { rows, lost } = await cutPower('synced', 20, t.signal);
      t.diagnostic(`20 power cuts: ${lost} of ${rows} acknowledged rows lost`);
      assert.equal(lost, 0);
      assert.ok(rows >= 20 * rowsPerCut);
    });

    it('loses acknowledged rows without the sync', async (t) => {
      const { rows, lost } = await cutPower('unsynced', 4, t.signal);
      t.diagnostic(`4 power cuts without the sync: ${lost} of ${rows} acknowledged rows lost`);
      assert.ok(lost > 0);
    });
  });
}

/** Resolves to the number of rows acknowledged before the last cut, and the number lost over all cuts. */
async function cutPower(
  mode: 'synced' | 'unsynced',
  cuts: number,
  signal: AbortSignal,
): Promise<{ rows: number; lost: number }> {
  await using disk = await newDisk();
  const writing = new WritingProcess(disk.path, mode);
  let rows = 0;
  let lost = 0;
  try {
    while (writing.acknowledged.length === 0) await sleep(5, undefined, { signal });
    for (let cut = 0; cut < cuts; cut += 1) {
      while (writing.acknowledged.length < rows + rowsPerCut) await sleep(5, undefined, { signal });
      if (cut % 2 === 0) await sleep(Math.random() * 200);
      else await duringCheckpoint(disk, signal);
      await writing.freeze();
      const acknowledged = [...writing.acknowledged];
      const found = await survivors(disk);
      writing.resume();
      rows = acknowledged.length;
      lost += acknowledged.filter((id) => !found.has(id)).length;
    }
  } finally {
    await writing.end();
  }
  return { rows, lost };
}

/** Waits for a random moment of a checkpoint. Only a checkpoint changes the database file. */
async function duringCheckpoint(disk: Disk, signal: AbortSignal): Promise<void> {
  const changed = () => statSync(sqliteFile(disk.path)).mtimeMs;
  const before = changed();
  while (changed() === before) await sleep(1, undefined, { signal });
  await sleep(Math.random() * 20);
}

/** The rows that exist after the power cut; fails if the database is damaged. */
async function survivors(disk: Disk): Promise<Set<number>> {
  await using copy = await disk.afterPowerCut();
  const db = await openDatabase({ databaseUrl: undefined, dataDir: copy.path }, assert.fail);
  const integrity = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.read);
  const posts = await db.read.selectFrom('posts').select(['id', 'text', 'likes_count']).execute();
  await db.close();
  assert.deepEqual(
    integrity.rows.map((row) => row.integrity_check),
    ['ok'],
  );
  const written = posts.filter(({ text }) => text === '').map(({ id }) => id);
  // Each transaction also increments a counter in another row.
  assert.equal(
    posts.reduce((sum, post) => sum + post.likes_count, 0),
    written.length,
  );
  return new Set(written);
}
