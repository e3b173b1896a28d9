import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const textOf = (unit: string): string => readFileSync(new URL(`../deploy/systemd/${unit}`, import.meta.url), 'utf8');

/** The lines of a unit in deploy/ that restrict its process. */
function restrictions(unit: string): string[] {
  const text = textOf(unit);
  return text
    .slice(text.indexOf('NoNewPrivileges=yes'))
    .split('\n')
    .filter((line) => /^[A-Z]\w+=/.test(line) && !line.startsWith('WantedBy='));
}

test('the backup unit has the same restrictions as the server unit', () => {
  const server = restrictions('stena.service');
  assert.ok(server.length >= 22);
  assert.deepEqual(restrictions('stena-backup.service'), server);
});

test('a failed backup writes a critical line and runs the notification of the operator', (t) => {
  const failed = /^OnFailure=(\S+)$/m.exec(textOf('stena-backup.service'))![1]!;
  const folder = mkdtempSync(join(tmpdir(), 'stena-failed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const commands = [
    ...textOf(failed)
      .replaceAll('/etc/stena', folder)
      .matchAll(/^ExecStart=(.+)$/gm),
  ];
  const printed = (): string[] =>
    commands.map(([, command]) => {
      const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command!], { encoding: 'utf8' });
      assert.deepEqual([stderr, status], ['', 0]);
      return stdout;
    });
  assert.match(printed().join(''), /^<2>THE BACKUP OF STENA HAS FAILED.*\n$/);
  writeFileSync(join(folder, 'backup-failed'), '#!/bin/sh\necho sent\n', { mode: 0o755 });
  assert.equal(printed()[1], 'sent\n');
});
