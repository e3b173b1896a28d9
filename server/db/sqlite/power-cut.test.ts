import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { cannotMount, type Disk, newDisk } from '../../../test/disk.ts';
import { WritingProcess } from '../../../test/power-cut/writing-process.ts';
import { openDatabase, sqliteFile } from '../open-database.ts';

const lack = await cannotMount();

if (lack) {
  process.stderr.write(`The power cut tests do not run here: ${lack}\n`);
} else {
  describe('a power cut', () => {
    it('loses nothing acknowledged, wherever it strikes', { timeout: 120_000 }, async (t) => {
      const { rows, lost } = await cutPower('synced', 20, t.signal);
      t.diagnostic(`20 power cuts: ${lost} of ${rows} acknowledged rows lost`);
      assert.equal(lost, 0);
      assert.ok(rows > 1_000);
    });

    it('would lose rows if nobody waited for the disk', { timeout: 120_000 }, async (t) => {
      const { rows, lost } = await cutPower('unsynced', 4, t.signal);
      t.diagnostic(`4 power cuts without the sync: ${lost} of ${rows} acknowledged rows lost`);
      assert.ok(lost > 0);
    });
  });
}

/** How many rows were acknowledged before the last cut, and how many of them some cut lost. */
async function cutPower(
  mode: 'synced' | 'unsynced',
  cuts: number,
  signal: AbortSignal,
): Promise<{ rows: number; lost: number }> {
  const disk = await newDisk();
  const writing = new WritingProcess(disk.path, mode);
  let rows = 0;
  let lost = 0;
  try {
    while (writing.acknowledged.length === 0) await sleep(5, undefined, { signal });
    for (let cut = 0; cut < cuts; cut += 1) {
      if (cut % 2 === 0) await sleep(Math.random() * 200);
      else await checkpoint(disk, signal);
      await writing.freeze();
      const promised = [...writing.acknowledged];
      const found = await survivors(disk);
      writing.resume();
      rows = promised.length;
      lost += promised.filter((id) => !found.has(id)).length;
    }
  } finally {
    await writing.end();
    await disk.remove();
  }
  return { rows, lost };
}

/** Some moment of a checkpoint: nothing else writes to the database file. */
async function checkpoint(disk: Disk, signal: AbortSignal): Promise<void> {
  const changed = () => statSync(sqliteFile(disk.path)).mtimeMs;
  const before = changed();
  while (changed() === before) await sleep(1, undefined, { signal });
  await sleep(Math.random() * 20);
}

/** The rows that are there after the power is back, in a database that is whole. */
async function survivors(disk: Disk): Promise<Set<number>> {
  const copy = await disk.afterPowerCut();
  try {
    const db = await openDatabase({ databaseUrl: undefined, dataDir: copy.path }, assert.fail);
    const integrity = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.read);
    const posts = await db.read.selectFrom('posts').select(['id', 'text', 'likes_count']).execute();
    await db.close();
    assert.deepEqual(
      integrity.rows.map((row) => row.integrity_check),
      ['ok'],
    );
    const written = posts.filter(({ text }) => text === '').map(({ id }) => id);
    // Each writer has counted its row in the same transaction.
    assert.equal(
      posts.reduce((sum, post) => sum + post.likes_count, 0),
      written.length,
    );
    return new Set(written);
  } finally {
    await copy.remove();
  }
}
