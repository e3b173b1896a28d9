import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Branch, openedThread, type Thread, withFold } from '../store/thread-tree.ts';
import { foldLabel, namesReplied, placeOf } from './row-place.ts';

const branch = (id: number, replies: Branch[] = [], more: Branch['more'] = null): Branch => ({
  id: `${id}`,
  gone: false,
  replies,
  more,
});

/** 2 and 3 are a dialogue that splits below 5; 9 has replies that are not loaded. */
const opened = openedThread({
  postId: '1',
  order: 'oldest',
  ancestors: [],
  skipped: 0,
  replies: [
    branch(2, [branch(3, [branch(4, [branch(5, [branch(6, [branch(7)]), branch(8)])])])]),
    branch(9, [branch(10, [], { count: 2, cursor: 'c' })]),
    branch(11),
  ],
});

const each = <Value>(thread: Thread, of: (row: Thread['rows'][number], index: number) => Value) =>
  Object.fromEntries(thread.rows.map((row, index) => [row.id, of(row, index)]));

test('a control stands only where a branch begins or splits', () => {
  assert.deepEqual(each(opened, foldLabel), {
    2: 'свернуть 6',
    3: null,
    4: null,
    5: '2 ветки, 3',
    6: null,
    7: null,
    8: null,
    9: 'свернуть 3',
    10: '2 ветки, 2',
    11: null,
  });
});

test('a folded branch keeps its control, also when it no longer splits', () => {
  const folded = withFold(opened, '5', true);
  assert.equal(each(folded, foldLabel)[5], 'развернуть 3');
  assert.equal(each(withFold(opened, '4', true), foldLabel)[4], 'развернуть 4');
});

test('a line folds the nearest branch that has a control', () => {
  assert.deepEqual(
    each(opened, ({ head }) => head),
    { 2: null, 3: '2', 4: '2', 5: '2', 6: '5', 7: '5', 8: '5', 9: null, 10: '9', 11: null },
  );
});

test('a reply names whom it answers only where neither indentation nor the row above shows it', () => {
  const named = opened.rows.filter((row, index) => namesReplied(row, opened.rows[index - 1]));
  assert.deepEqual(
    named.map(({ id }) => id),
    ['8'],
  );
});

test('the colour of the line changes where a branch splits', () => {
  assert.deepEqual(
    each(opened, (row) => placeOf(row).line),
    { 2: 0, 3: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 0, 10: 0, 11: 0 },
  );
});
