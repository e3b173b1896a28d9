import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitLinks } from './links.ts';

const linked = (text: string) => splitLinks(text).flatMap((part) => (part.href === undefined ? [] : [part.text]));
const joined = (text: string) =>
  splitLinks(text)
    .map((part) => part.text)
    .join('');

const texts: Array<[string, string[]]> = [
  ['', []],
  ['без ссылок', []],
  ['https://example.com', ['https://example.com']],
  ['HTTPS://Example.com/Path', ['HTTPS://Example.com/Path']],
  ['см. http://example.com/a?b=c&d=%20#e, и дальше', ['http://example.com/a?b=c&d=%20#e']],
  ['Конец https://example.com/страница.', ['https://example.com/страница']],
  ['https://example.com/?!…', ['https://example.com/']],
  ['(https://example.com/a)', ['https://example.com/a']],
  ['(см. https://example.com/a).', ['https://example.com/a']],
  ['https://ru.wikipedia.org/wiki/Кладка_(строительство)', ['https://ru.wikipedia.org/wiki/Кладка_(строительство)']],
  ['(https://ru.wikipedia.org/wiki/А_(Б))', ['https://ru.wikipedia.org/wiki/А_(Б)']],
  ['[https://example.com/a[1]]', ['https://example.com/a[1]']],
  ['«https://example.com/a»', ['https://example.com/a']],
  ['"https://example.com/a"', ['https://example.com/a']],
  ['<https://example.com/a>', ['https://example.com/a']],
  ['https://a.ru\nhttps://b.ru/', ['https://a.ru', 'https://b.ru/']],
  ['http://пример.рф/путь', ['http://пример.рф/путь']],
  ['https://example.com:8080/a', ['https://example.com:8080/a']],
  ['ahttps://example.com', []],
  ['ещёhttps://example.com', []],
  ['https://', []],
  ['https://...', []],
  ['https://localhost/a', []],
  ['https://bank.ru@evil.ru/', []],
  ['https://user:secret@example.com/', []],
  ['https://a.ru,https://b.ru', []],
  ['ftp://example.com javascript://example.com/%0aalert(1) data:text/html,x', []],
];

for (const [text, links] of texts) {
  test(`links of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(linked(text), links);
    assert.equal(joined(text), text);
  });
}

test('an international name leads to its ASCII form', () => {
  assert.deepEqual(splitLinks('http://пример.рф'), [
    { text: 'http://пример.рф', href: 'http://xn--e1afmkfd.xn--p1ai/' },
  ]);
});

const pieces = fc.constantFrom('http://', 'https://', 'пример.рф', 'a.ru', '/', '(', ')', '[', ']', '.', ',', '@', ':');
const hostile = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 40 }).map((all) => all.join(''));

test('the parts of any text join to the text, and links are only http or https', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      assert.equal(joined(text), text);
      for (const { href } of splitLinks(text)) {
        if (href !== undefined) assert.match(new URL(href).protocol, /^https?:$/);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('splits hostile texts in linear time', () => {
  for (const unit of ['https://', 'https://[', 'https://a.ru/(', 'https://a.ru/)', '.', 'https://a.ru.']) {
    const started = performance.now();
    splitLinks(unit.repeat(20_000));
    assert.ok(performance.now() - started < 1_000, unit);
  }
});
