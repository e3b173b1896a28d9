import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInMiddle } from './middle.ts';

const page = { height: 800, covered: 60, above: 5_000, below: 5_000 };
const card = (top: number, height = 100) => ({ top, bottom: top + height });

test('a card in the middle half of the window counts', () => {
  assert.ok(isInMiddle(card(350), page));
  assert.ok(isInMiddle(card(150), page));
  assert.ok(!isInMiddle(card(149), page));
  assert.ok(isInMiddle(card(550), page));
  assert.ok(!isInMiddle(card(551), page));
  assert.ok(!isInMiddle(card(900), page));
});

test('a card taller than the window counts when it fills half of the middle', () => {
  assert.ok(isInMiddle(card(-1_600, 2_000), page));
  assert.ok(!isInMiddle(card(-1_601, 2_000), page));
});

test('at the top of the page the first card counts, and at its end the last one', () => {
  assert.ok(!isInMiddle(card(70), page));
  assert.ok(isInMiddle(card(70), { ...page, above: 0 }));
  assert.ok(!isInMiddle(card(0), { ...page, above: 0 }));
  assert.ok(!isInMiddle(card(700), page));
  assert.ok(isInMiddle(card(700), { ...page, below: 0 }));
});
