import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { boardExpressions } from '../../../test/kit/grafana-board.ts';

const rules = join(import.meta.dirname, '../../../deploy/prometheus-alerts.yml');
const series = readFileSync(join(import.meta.dirname, 'alerts.test.yml'), 'utf8');

/** Runs promtool, of Debian's package `prometheus`. */
function promtool(...args: string[]): void {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  assert.ifError(error);
  assert.equal(status, 0, stdout + stderr);
}

test('Prometheus accepts the alerts', () => promtool('check', 'rules', rules));

test('Prometheus accepts the expressions of the Grafana board', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-board-'));
  const file = join(folder.path, 'rules.yml');
  const rulesOf = boardExpressions().map((expr) => ({
    record: 'board',
    expr: expr.replaceAll('$__rate_interval', '5m'),
    labels: { expr },
  }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules: rulesOf }] }));
  promtool('check', 'rules', file);
});

test('each alert fires when it should, and then only', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-alerts-'));
  const file = join(folder.path, 'series.yml');
  writeFileSync(file, series.replace('RULES', rules));
  promtool('test', 'rules', file);
});
