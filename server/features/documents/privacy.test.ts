import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** They say nothing about a person. */
const impersonal = new Set([
  'thread_gaps',
  'search_index',
  'feed_counts',
  'likes_to_move',
  'wall_settings',
  'visible_changes',
]);
/** Tables that the text names before they are built. */
const toCome = new Set(['follows']);

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const tables = [...read('../../db/schema.ts').matchAll(/^ {2}(\w+): (?:\{|Change)/gm)].map(([, name]) => name!);
const named = [...read('defaults/privacy.md').matchAll(/`(\w+)`/g)].map(([, name]) => name!);

test('the text on privacy names every table that holds personal data, and no other', () => {
  assert.ok(tables.length > 20, 'the tables have been found');
  assert.deepEqual(
    [...impersonal].filter((name) => !tables.includes(name)),
    [],
  );
  const personal = tables.filter((name) => !impersonal.has(name));
  assert.deepEqual(
    named.filter((name) => !toCome.has(name)).toSorted(),
    personal.filter((name) => !toCome.has(name)).toSorted(),
  );
});
