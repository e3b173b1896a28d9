import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { type Group, grouped } from './groups.ts';

/** The letter is the discussion: 'a9' is notification 9 of the discussion a. */
const keyOf = (id: string): string => id[0]!;
const group = (before: readonly Group[], ...ids: string[]) => grouped(before, ids, keyOf);
const shown = (groups: readonly Group[]) => groups.map(({ ids }) => ids.join(' '));
const order = (groups: readonly Group[]) => groups.flatMap(({ ids }) => ids);

test('answers of one discussion stand together, the discussion with the newest first', () => {
  assert.deepEqual(shown(group([], 'a9', 'b8', 'a7', 'c6', 'b5')), ['a9 a7', 'b8 b5', 'c6']);
  assert.deepEqual(shown(group([])), []);
});

test('an older page goes below and continues the last discussion, and nothing above moves', () => {
  const before = group([], 'a9', 'b8', 'a7');
  const after = group(before, 'a9', 'b8', 'a7', 'c6', 'a5', 'b4');
  assert.deepEqual(shown(after), ['a9 a7', 'b8 b4', 'c6', 'a5']);
  assert.deepEqual(order(after).slice(0, 3), order(before));
});

test('newer notifications go above and continue only the first discussion', () => {
  const before = group([], 'a9', 'b8', 'a7');
  assert.deepEqual(shown(group(before, 'a10', 'a9', 'b8', 'a7')), ['a10 a9 a7', 'b8']);
  assert.deepEqual(shown(group(before, 'b10', 'a9', 'b8', 'a7')), ['b10', 'a9 a7', 'b8']);
  assert.deepEqual(shown(group(before, 'a11', 'b10', 'a9', 'b8', 'a7')), ['a11', 'b10', 'a9 a7', 'b8']);
});

test('a deleted answer leaves the others in their order', () => {
  const before = group([], 'a9', 'b8', 'a7', 'c6');
  assert.deepEqual(shown(group(before, 'b8', 'a7', 'c6')), ['a7', 'b8', 'c6']);
  assert.deepEqual(shown(group(before, 'a9', 'a7', 'c6')), ['a9 a7', 'c6']);
});

test('a restored answer returns to its discussion, or to its place if that was the only one', () => {
  const whole = ['a9', 'b8', 'a7', 'c6'];
  const before = group([], ...whole);
  for (const gone of whole) {
    const rest = group(before, ...whole.filter((id) => id !== gone));
    assert.deepEqual(order(group(rest, ...whole)).toSorted(), whole.toSorted(), gone);
    // At either end of the list it cannot be told from one that is newer or older.
    if (gone === 'a7' || gone === 'b8') assert.deepEqual(shown(group(rest, ...whole)), shown(before), gone);
  }
});

test('a list that is loaded again down to the same depth has the same groups', () => {
  const ids = Array.from({ length: 6 * limits.pageSize }, (_, index) => `${'abacdabe'[(index * 5) % 8]}${900 - index}`);
  let byPages: readonly Group[] = [];
  for (let end = limits.pageSize; end <= ids.length; end += limits.pageSize) {
    const next = group(byPages, ...ids.slice(0, end));
    assert.deepEqual(order(next).slice(0, order(byPages).length), order(byPages));
    byPages = next;
  }
  assert.deepEqual(byPages, group([], ...ids));
  assert.deepEqual(order(byPages).toSorted(), ids.toSorted());
});

test('another list starts again', () => {
  const before = group([], 'a9', 'b8');
  assert.deepEqual(shown(group(before, 'c99', 'a98')), ['c99', 'a98']);
});

test('the same list has the same groups', () => {
  const before = group([], 'a9', 'b8', 'a7');
  assert.deepEqual(group(before, 'a9', 'b8', 'a7'), before);
});
