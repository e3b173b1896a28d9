import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMetrics } from '../../../test/kit/prometheus.ts';
import { turnsUntil } from '../../../test/kit/turns.ts';
import { gauge, Registry } from './registry.ts';

test('leaves out a source that fails or does not respond', async () => {
  const registry = new Registry();
  registry.add(() => [gauge('one', 'First.', 1)]);
  registry.add(() => {
    throw new Error('out of reach');
  });
  registry.add(() => Promise.reject(new Error('out of reach')));
  registry.add(() => new Promise(() => {}));
  registry.add(async () => [gauge('two', 'Second.', 2)]);
  const text = registry.text();
  assert.ok((await turnsUntil(text)) < 500);
  assert.deepEqual(parseMetrics(await text), { one: 1, two: 2 });
});

test('escapes quotes, backslashes and line breaks in labels', async () => {
  const registry = new Registry();
  registry.add(() => [gauge('one', 'First.', [{ labels: { of: 'a"b\\c\nd' }, value: 1 }])]);
  assert.deepEqual(parseMetrics(await registry.text()), { 'one{of="a\\"b\\\\c\\nd"}': 1 });
});
