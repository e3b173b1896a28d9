import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportOf } from './against.ts';

const rounds = (...costs: number[][]) =>
  costs.map((turns) => turns.map((cpuMicroseconds) => ({ cpuMicroseconds, perSecond: 1_000, p99Ms: 1 })));

const cellsOf = (before: number[][], after: number[][]) => {
  const report = reportOf(new Map([['feed', [rounds(...before), rounds(...after), []]]]), 'v1');
  const line = report.split('\n').find((row) => row.includes('| feed'));
  return line!.split('|').map((cell) => cell.trim());
};

test('what disturbs both sides of a turn alike and one slow process change no ratio', () => {
  const before = [
    [10, 20, 10],
    [10, 10, 30],
    [10, 10, 10],
  ];
  const after = [
    [11, 22, 11],
    [11, 11, 33],
    [15, 15, 15],
  ];
  const [, row, , , bare, pairs, , best, spread] = cellsOf(before, after);
  assert.deepEqual(
    { row, bare, pairs, best, spread },
    {
      row: 'feed',
      bare: '–',
      pairs: '1.10',
      best: '1.10',
      spread: '1.10 to 1.50',
    },
  );
});
