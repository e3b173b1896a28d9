import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedText } from './take-shared.ts';

const textOf = (query: Record<string, string>) => sharedText(new URLSearchParams(query));

test('puts title, text and address on a line each', () => {
  assert.equal(
    textOf({ title: 'Афиша', text: ' Кино во дворе\n', url: 'https://a.example/' }),
    'Афиша\nКино во дворе\nhttps://a.example/',
  );
  assert.equal(textOf({ url: 'https://a.example/' }), 'https://a.example/');
  assert.equal(textOf({ other: 'x', text: ' \0 ' }), '');
});

test('drops what another part repeats', () => {
  assert.equal(
    textOf({ title: 'Афиша', text: 'Афиша: кино https://a.example/', url: 'https://a.example/' }),
    'Афиша: кино https://a.example/',
  );
  assert.equal(textOf({ title: 'Афиша', text: 'Афиша', url: 'Афиша' }), 'Афиша');
});
