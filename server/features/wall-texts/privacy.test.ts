import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** They say nothing about a person. */
const impersonal = new Set([
  'thread_gaps',
  'search_index',
  'feed_counts',
  'likes_to_move',
  'first_posts',
  'wall_settings',
  'visible_changes',
]);

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const tables = [...read('../../db/schema.ts').matchAll(/^ {2}(\w+): (?:\{|Change)/gm)].map(([, name]) => name!);
const namesIn = (text: string): string[] => [...new Set([...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!))];
const texts = {
  'the text for readers': namesIn(read('defaults/privacy.md')),
  'the guide for operators': namesIn(/^\| Что .*?^\|.*?\n\n/ms.exec(read('../../../docs/guide/privacy.md'))![0]).filter(
    (name) => name === name.toLowerCase(),
  ),
};

const personal = tables.filter((name) => !impersonal.has(name));

test('every table that says nothing about a person exists', () => {
  assert.ok(tables.length > 20, 'the tables have been found');
  assert.deepEqual(
    [...impersonal].filter((name) => !tables.includes(name)),
    [],
  );
});

for (const [text, named] of Object.entries(texts)) {
  test(`${text} on privacy names every table that holds personal data, and no other`, () => {
    assert.deepEqual(named.toSorted(), personal.toSorted());
  });
}
