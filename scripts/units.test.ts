import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The lines of a unit in deploy/ that restrict its process. */
function restrictions(unit: string): string[] {
  const text = readFileSync(new URL(`../deploy/systemd/${unit}`, import.meta.url), 'utf8');
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
