import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInMiddle } from './middle.ts';

const page = { height: 800, covered: 60, above: 5_000, below: 5_000 };
const edge = 0.25;
const card = (top: number, height = 100) => ({ top, bottom: top + height });

test('a card in the middle half of the window counts', () => {
  assert.ok(isInMiddle(card(350), page, edge));
  assert.ok(isInMiddle(card(150), page, edge));
  assert.ok(!isInMiddle(card(149), page, edge));
  assert.ok(isInMiddle(card(550), page, edge));
  assert.ok(!isInMiddle(card(551), page, edge));
  assert.ok(!isInMiddle(card(900), page, edge));
});

test('a card taller than the window counts when it fills half of the middle', () => {
  assert.ok(isInMiddle(card(-1_600, 2_000), page, edge));
  assert.ok(!isInMiddle(card(-1_601, 2_000), page, edge));
});

test('at the top of the page the first card counts, and at its end the last one', () => {
  assert.ok(!isInMiddle(card(70), page, edge));
  assert.ok(isInMiddle(card(70), { ...page, above: 0 }, edge));
  assert.ok(!isInMiddle(card(0), { ...page, above: 0 }, edge));
  assert.ok(!isInMiddle(card(700), page, edge));
  assert.ok(isInMiddle(card(700), { ...page, below: 0 }, edge));
});

test('without edges a card counts when half of it is in the window, or it fills half of the window', () => {
  assert.ok(isInMiddle(card(750), page, 0));
  assert.ok(!isInMiddle(card(751), page, 0));
  assert.ok(isInMiddle(card(10), page, 0));
  assert.ok(!isInMiddle(card(9), page, 0));
  assert.ok(isInMiddle(card(430, 2_000), page, 0));
  assert.ok(!isInMiddle(card(431, 2_000), page, 0));
});
