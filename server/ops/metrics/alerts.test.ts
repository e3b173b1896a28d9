import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../../test/kit/free-port.ts';
import { openWall } from '../../../test/kit/wall.ts';

const rules = join(import.meta.dirname, '../../../deploy/prometheus-alerts.yml');
const series = readFileSync(join(import.meta.dirname, 'alerts.test.yml'), 'utf8');

/** Runs promtool, of Debian's package `prometheus`. */
function promtool(...args: string[]): void {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  assert.ifError(error);
  assert.equal(status, 0, stdout + stderr);
}

test('Prometheus accepts the alerts', () => promtool('check', 'rules', rules));

test('each alert fires when it should, and then only', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-alerts-'));
  const file = join(folder.path, 'series.yml');
  writeFileSync(file, series.replace('RULES', rules));
  promtool('test', 'rules', file);
});

test('the wall has every metric that the alerts need', async () => {
  const METRICS = `127.0.0.1:${await freePort()}`;
  await using wall = await openWall('postgres', { METRICS });
  await wall.get('/');
  const scraped = await (await fetch(`http://${METRICS}/metrics`)).text();
  const needed = new Set(readFileSync(rules, 'utf8').match(/\bstena_\w+/g));
  // Missing without replicas.
  needed.delete('stena_postgres_replica_used');
  assert.ok(needed.size >= 6);
  for (const name of needed) assert.ok(scraped.includes(`# TYPE ${name} `), name);
});
