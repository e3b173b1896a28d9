import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPositions } from './positions.ts';

test('continues from the last position', () => {
  const positions = createPositions('1');
  assert.equal(positions.latest(), '1');
  positions.note('2', 0);
  positions.note('3', 60_000);
  assert.equal(positions.latest(), '3');
});

test('returns to the position before a response could have been requested', () => {
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

test('stays at its position after a long silence', () => {
  const positions = createPositions('1');
  assert.equal(positions.rewind(0), false);
  positions.note('2', 0);
  assert.equal(positions.rewind(10_000), false);
  assert.equal(positions.latest(), '2');
});

test('dates a repeated position from its first receipt', () => {
  const positions = createPositions('1');
  positions.note('2', 0);
  positions.note('2', 9_000);
  assert.equal(positions.rewind(10_000), false);
});
