import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowedRows } from './windowed-rows.ts';

test('what comes at the end gets rows at the end', () => {
  assert.deepEqual(windowedRows(['5', '4'], ['5', '4', '3']), ['5', '4', '3']);
});

test('what goes leaves an empty row, also when more comes', () => {
  assert.deepEqual(windowedRows(['5', '4', '3'], ['5', '3']), ['5', '4', '3']);
  assert.deepEqual(windowedRows(['5', '4', '3'], ['5', '3', '2']), ['5', '4', '3', '2']);
});

test('where nothing changes the rows are the same', () => {
  const rows = ['5', '4', '3'];
  assert.equal(windowedRows(rows, ['4', '3']), rows);
});

test('a list that begins anew has rows of its own', () => {
  assert.deepEqual(windowedRows(['5', '4'], ['9', '8']), ['9', '8']);
  assert.deepEqual(windowedRows(['5', '4'], ['6', '5', '4']), ['6', '5', '4']);
  assert.deepEqual(windowedRows([], ['5']), ['5']);
});
