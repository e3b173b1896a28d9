import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { grouped, placed, type Places } from './groups.ts';

/** The groups of a list that has been these ids one after another. The letter is the discussion. */
function shown(...lists: readonly string[][]): string[] {
  const places = lists.reduce<Places>((before, ids) => placed(before, ids, (id) => id[0]!), new Map());
  return grouped(places, lists.at(-1)!).map((ids) => ids.join(' '));
}

test('replies of one discussion stand together, the discussion with the newest first', () => {
  assert.deepEqual(shown(['a9', 'b8', 'a7', 'c6', 'b5']), ['a9 a7', 'b8 b5', 'c6']);
  assert.deepEqual(shown([]), []);
});

test('an older page goes below, and only the discussion next to it goes on', () => {
  const first = ['a9', 'b8', 'a7'];
  assert.deepEqual(shown(first, [...first, 'c6', 'a5', 'b4']), ['a9 a7', 'b8', 'c6', 'a5', 'b4']);
  assert.deepEqual(shown(first, [...first, 'b6', 'a5']), ['a9 a7', 'b8 b6', 'a5']);
});

test('newer notifications go above, and only the first discussion goes on', () => {
  const first = ['a9', 'b8', 'a7'];
  assert.deepEqual(shown(first, ['a10', ...first]), ['a10 a9 a7', 'b8']);
  assert.deepEqual(shown(first, ['b10', ...first]), ['b10', 'a9 a7', 'b8']);
});

test('a deleted reply leaves the others in their order, and a restored one returns to its place', () => {
  const whole = ['a9', 'b8', 'a7', 'c6'];
  assert.deepEqual(shown(whole, ['b8', 'a7', 'c6']), ['a7', 'b8', 'c6']);
  assert.deepEqual(shown(whole, ['a9', 'a7', 'c6']), ['a9 a7', 'c6']);
  for (const gone of whole) {
    const rest = whole.filter((id) => id !== gone);
    assert.deepEqual(shown(whole, rest, whole), shown(whole), gone);
  }
});

test('a list that is loaded again down to the same depth has the same groups', () => {
  const ids = Array.from({ length: 6 * limits.pageSize }, (_, index) => `${'abacdabe'[(index * 5) % 8]}${900 - index}`);
  const ends = [1, 2, 3, 4, 5, 6].map((page) => page * limits.pageSize);
  assert.deepEqual(shown(...ends.map((end) => ids.slice(0, end))), shown(ids));
});
