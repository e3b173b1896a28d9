import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowedRows } from './windowed-rows.ts';

test('adds rows at the end for posts at the end', () => {
  assert.deepEqual(windowedRows(['5', '4'], ['5', '4', '3']), ['5', '4', '3']);
});

test('adds rows at the beginning for posts at the beginning, and keeps the empty ones', () => {
  assert.deepEqual(windowedRows(['5', '4', '3'], ['7', '6', '5', '3']), ['7', '6', '5', '4', '3']);
  assert.deepEqual(windowedRows(['5', '4'], ['6', '5', '4', '3']), ['6', '5', '4', '3']);
});

test('leaves an empty row for a removed post, also when more posts follow', () => {
  assert.deepEqual(windowedRows(['5', '4', '3'], ['5', '3']), ['5', '4', '3']);
  assert.deepEqual(windowedRows(['5', '4', '3'], ['5', '3', '2']), ['5', '4', '3', '2']);
});

test('returns the same rows when nothing has changed', () => {
  const rows = ['5', '4', '3'];
  assert.equal(windowedRows(rows, ['4', '3']), rows);
});

test('starts with new rows for a new list', () => {
  assert.deepEqual(windowedRows(['5', '4'], ['9', '8']), ['9', '8']);
  assert.deepEqual(windowedRows(['5', '4'], ['6', '5', '4']), ['6', '5', '4']);
  assert.deepEqual(windowedRows([], ['5']), ['5']);
});
