import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMetrics } from '../../test/prometheus.ts';
import { gauge } from './metric.ts';
import { Registry } from './registry.ts';

test('a source that fails, or does not answer, does not take the others along', async () => {
  const registry = new Registry();
  registry.add(() => [gauge('one', 'First.', 1)]);
  registry.add(() => {
    throw new Error('out of reach');
  });
  registry.add(() => Promise.reject(new Error('out of reach')));
  registry.add(() => new Promise(() => {}));
  registry.add(async () => [gauge('two', 'Second.', 2)]);
  const asked = performance.now();
  assert.deepEqual(parseMetrics(await registry.text()), { one: 1, two: 2 });
  assert.ok(performance.now() - asked < 5_000);
});

test('labels keep what the format has other uses for', async () => {
  const registry = new Registry();
  registry.add(() => [gauge('one', 'First.', [{ labels: { of: 'a"b\\c\nd' }, value: 1 }])]);
  assert.deepEqual(parseMetrics(await registry.text()), { 'one{of="a\\"b\\\\c\\nd"}': 1 });
});
