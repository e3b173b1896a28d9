import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortLink } from './short-link.ts';

test('shows the host and the start of the path', () => {
  assert.deepEqual(shortLink('https://example.org/articles/2026/11/snow?from=wall'), [
    'https://',
    'example.org/articles/2026/1',
    '1/snow?from=wall',
  ]);
});

test('shows short addresses whole, without the scheme', () => {
  assert.deepEqual(shortLink('http://example.org'), ['http://', 'example.org', '']);
  assert.deepEqual(shortLink('HTTPS://example.org/map?x=1&y=2'), ['HTTPS://', 'example.org/map?x=1&y=2', '']);
});

test('never cuts the host', () => {
  const host = `${'bank.example.'.repeat(12)}org`;
  assert.deepEqual(shortLink(`https://${host}?${'a'.repeat(40)}`), [
    'https://',
    `${host}?${'a'.repeat(15)}`,
    'a'.repeat(25),
  ]);
});
