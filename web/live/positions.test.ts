import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPositions } from './positions.ts';

test('hearing goes on from the last position', () => {
  const positions = createPositions('1');
  assert.equal(positions.latest(), '1');
  positions.note('2', 0);
  positions.note('3', 60_000);
  assert.equal(positions.latest(), '3');
});

test('it goes back to where it stood before an answer that has just come can have been asked for', () => {
  const positions = createPositions('1');
  for (const [position, at] of [
    ['2', 0],
    ['3', 4_000],
    ['4', 11_000],
    ['5', 13_000],
  ] as const) {
    positions.note(position, at);
  }
  assert.equal(positions.rewind(14_500), true);
  assert.equal(positions.latest(), '3');
});

test('it stays where nothing has been heard for so long', () => {
  const positions = createPositions('1');
  assert.equal(positions.rewind(0), false);
  positions.note('2', 0);
  assert.equal(positions.rewind(10_000), false);
  assert.equal(positions.latest(), '2');
});

test('what is heard again and again at the same position counts from the first time', () => {
  const positions = createPositions('1');
  positions.note('2', 0);
  positions.note('2', 9_000);
  assert.equal(positions.rewind(10_000), false);
});
