import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeahead } from './typeahead.ts';

const names = ['Новые', 'Понравившиеся', 'Мои записи', 'Мои ответы'];
const clearMs = 350;

test('finds the next name that begins with the letter in either case', () => {
  assert.deepEqual(typed('м', { pause: 500, from: -1 }), ['Мои записи']);
  assert.deepEqual(typed('П', { pause: 500, from: -1 }), ['Понравившиеся']);
});

for (const pause of [20, 500]) {
  test(`the same letter goes through all names that begin with it, ${pause} ms apart`, () => {
    assert.deepEqual(typed('ммм', { pause, from: 0 }), ['Мои записи', 'Мои ответы', 'Мои записи']);
  });
}

test('combines letters typed quickly, including a space', () => {
  assert.equal(typed('мои о', { pause: 20, from: -1 }).at(-1), 'Мои ответы');
  assert.deepEqual(typed('мо', { pause: 20, from: 2 }), ['Мои ответы', 'Мои ответы']);
});

test('starts again after a pause', () => {
  assert.deepEqual(typed('мп', { pause: clearMs, from: -1 }), ['Мои записи', 'Понравившиеся']);
});

test('finds nothing for letters that match no name', () => {
  assert.deepEqual(typed('мя', { pause: 20, from: -1 }), ['Мои записи', undefined]);
});

test('reports typing until the pause is over', () => {
  const typeahead = createTypeahead(clearMs);
  assert.equal(typeahead.isTyping(0), false);
  typeahead.type('м', { at: 1_000, names, current: -1 });
  assert.equal(typeahead.isTyping(1_000 + clearMs - 1), true);
  assert.equal(typeahead.isTyping(1_000 + clearMs), false);
});

/** The names found by typing, one after the other. */
function typed(letters: string, { pause, from }: { pause: number; from: number }): (string | undefined)[] {
  const typeahead = createTypeahead(clearMs);
  let current = from;
  return [...letters].map((key, index) => {
    const found = typeahead.type(key, { at: index * pause, names, current });
    if (found >= 0) current = found;
    return names[found];
  });
}
