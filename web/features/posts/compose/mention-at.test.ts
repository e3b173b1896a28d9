import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitLinks } from '#contract/links.ts';
import { mentionAt, withMention } from './mention-at.ts';

/** What is typed as a mention where `|` marks the caret. */
const typedIn = (marked: string): string | undefined => {
  const [before = '', after = ''] = marked.split('|');
  return mentionAt(before + after, before.length)?.typed;
};

test('a mention is typed after an @ that begins a word, up to the caret', () => {
  for (const [marked, typed] of [
    ['@|', ''],
    ['@an|', 'an'],
    ['Привет, @ан|', 'ан'],
    ['(@Аня_2|)', 'Аня_2'],
    ['строка\n@a|\nещё', 'a'],
    ['> «@ё|', 'ё'],
    ['@anna @b|', 'b'],
    [`@${'ж'.repeat(32)}|`, 'ж'.repeat(32)],
  ] as const) {
    assert.equal(typedIn(marked), typed, marked);
  }
});

test('no mention is typed in an address, in the middle of a word or after its end', () => {
  for (const marked of ['', 'an|', 'me@an|', '@an |', '@a|n', '|@an', '@@a|', '@|@a', `@${'ж'.repeat(33)}|`, '@a-|']) {
    assert.equal(typedIn(marked), undefined, marked);
  }
});

test('a mention may follow what a link to a person may follow', () => {
  for (const before of ' \n.,:;!?()[]{}<>«»„“”"\'`*^|#@&/\\=%+~$-_№—aж5é') {
    const isLink = splitLinks(`${before}@anna_k`).some(({ href }) => href === '/users/anna_k');
    assert.equal(mentionAt(`${before}@anna_k`, 8) !== null, isLink, before);
  }
});

test('a name takes the place of what was typed, with one space after it', () => {
  const take = (text: string, caret: number) => withMention(text, mentionAt(text, caret)!, 'anna_k');
  assert.deepEqual(take('Эй, @ан', 7), { text: 'Эй, @anna_k ', caret: 12 });
  assert.deepEqual(take('Эй, @ан и ты', 7), { text: 'Эй, @anna_k и ты', caret: 12 });
  assert.deepEqual(take('@\nты', 1), { text: '@anna_k \nты', caret: 8 });
  assert.deepEqual(take('@a, ты', 2), { text: '@anna_k , ты', caret: 8 });
});
