import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

const unit = readFileSync(new URL('../deploy/systemd/stena-backup.service', import.meta.url), 'utf8');

/** The command that systemd runs after a backup: in the unit, $ and % are doubled. */
const command = /^ExecStartPost=\/bin\/sh -c '([^'\\]+)'$/m.exec(unit)![1]!.replaceAll('$$', '$').replaceAll('%%', '%');

/** Backups with their checksums, by name and age in days; what a killed backup has left behind has none. */
function folderWith(t: TestContext, ages: Record<string, number>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stena-kept-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, days] of Object.entries(ages)) {
    const seconds = Date.now() / 1_000 - days * 86_400;
    const files = name.endsWith('.backup') ? [name, `${name}.sha256`] : [name];
    for (const [i, file] of files.entries()) {
      writeFileSync(join(folder, file), '');
      utimesSync(join(folder, file), seconds + i, seconds + i);
    }
  }
  return folder;
}

/** The names of the backups that are left, without those of their checksums, which must stay or go with them. */
function keptOf(folder: string, second = ''): string[] {
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command.replaceAll('/var/lib/stena-backup', folder)], {
    encoding: 'utf8',
    env: { ...process.env, COPY_TO: second },
  });
  assert.deepEqual([stdout, stderr, status], ['', '', 0]);
  const files = readdirSync(folder).toSorted();
  const names = files.filter((name) => !name.endsWith('.sha256'));
  const sums = names.filter((name) => name.endsWith('.backup')).map((name) => `${name}.sha256`);
  assert.deepEqual(files, [...names, ...sums].toSorted());
  return names;
}

/** Backups of successive nights, the last of which was made `newest` days and some minutes ago. */
const nights = (count: number, newest = 0): Record<string, number> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`night ${String(i).padStart(2, '0')}.backup`, newest + i + 0.01]),
  );

test('backups of the last 14 nights are kept, with those made by hand meanwhile', (t) => {
  const byHand = { 'before-upgrade.backup': 13.5, 'today.backup': 0.1 };
  const kept = keptOf(folderWith(t, { ...nights(20), ...byHand, 'old.backup': 40, 'night 17.backup.abc': 17 }));
  assert.deepEqual(kept, [...Object.keys(byHand), ...Object.keys(nights(15))].toSorted());
});

test('a clock that is ahead does not delete the backups of the last 14 nights', (t) => {
  const kept = keptOf(folderWith(t, { ...nights(20, 400), 'today.backup': 0 }));
  assert.deepEqual(kept, [...Object.keys(nights(13)), 'today.backup']);
});

test('nothing is deleted while there are fewer', (t) => {
  assert.equal(keptOf(folderWith(t, nights(13, 400))).length, 13);
  assert.equal(keptOf(folderWith(t, nights(1, 400))).length, 1);
});

test('the second place keeps as many', (t) => {
  const second = folderWith(t, nights(20));
  keptOf(folderWith(t, nights(1)), second);
  assert.equal(readdirSync(second).length, 2 * 15);
});
