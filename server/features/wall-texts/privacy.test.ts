import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allTables, impersonal, tablesAboutPeople } from '../../../test/kit/personal-tables.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const namesIn = (text: string): string[] => [...new Set([...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!))];
const texts = {
  'the text for readers': namesIn(read('defaults/privacy.md')),
  'the guide for operators': namesIn(/^\| Что .*?^\|.*?\n\n/ms.exec(read('../../../docs/guide/privacy.md'))![0]).filter(
    (name) => name === name.toLowerCase(),
  ),
};

test('every table that says nothing about a person exists', () => {
  assert.ok(allTables.length > 20, 'the tables have been found');
  assert.deepEqual(
    [...impersonal].filter((name) => !allTables.includes(name)),
    [],
  );
});

for (const [text, named] of Object.entries(texts)) {
  test(`${text} on privacy names every table that holds personal data, and no other`, () => {
    assert.deepEqual(named.toSorted(), tablesAboutPeople.toSorted());
  });
}
