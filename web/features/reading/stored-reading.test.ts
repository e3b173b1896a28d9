import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withReading } from './stored-reading.ts';

test('a position never goes back', () => {
  assert.deepEqual(withReading([], 'feed', '9'), [['feed', '9']]);
  assert.deepEqual(withReading([['feed', '9']], 'feed', '10'), [['feed', '10']]);
  assert.deepEqual(withReading([['feed', '10']], 'feed', '9'), [['feed', '10']]);
});

test('the feed and the two hundred discussions read last are stored', () => {
  let stored = withReading([], 'feed', '1000');
  for (let root = 1; root <= 205; root += 1) stored = withReading(stored, `thread:${root}`, '1000');
  stored = withReading(stored, 'thread:6', '2000');
  const lists = stored.map(([list]) => list);
  assert.equal(stored.length, 201);
  assert.ok(lists.includes('feed'));
  assert.deepEqual(lists.slice(0, 2), ['thread:6', 'feed']);
  assert.ok(lists.includes('thread:205'));
  assert.ok(!lists.includes('thread:5'));
  assert.equal(withReading(stored, 'feed', '2000').length, 201);
});
