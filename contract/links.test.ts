import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { processorMs } from '../test/kit/processor-time.ts';
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

/** Hashtags and mentions. */
const words: Array<[string, string[]]> = [
  ['#ремонт', ['#ремонт']],
  ['Завтра #ремонт_крыши, и #Двор2!', ['#ремонт_крыши', '#Двор2']],
  ['(#двор) «#сад» —#дом, да:#лес\n#поле', ['#двор', '#сад', '#дом', '#лес', '#поле']],
  ['#2026год #2026 #_ #__я', ['#2026год', '#__я']],
  ['#हिन्दी #日本語 #ελλάδα #a', ['#हिन्दी', '#日本語', '#ελλάδα', '#a']],
  ['# слово ## #', []],
  ['##слово #а@бвгде', []],
  ['#один#два', ['#один']],
  ['C#код слово#тег &#1090; &#amp', []],
  ['#слово-два', ['#слово']],
  ['#вилка.', ['#вилка']],
  [`#${'я'.repeat(199)}`, [`#${'я'.repeat(199)}`]],
  [`#${'я'.repeat(200)}`, []],
  [`#${'😀'.repeat(3)} #я😀`, ['#я']],
  ['@anna_petrova', ['@anna_petrova']],
  ['спасибо,@anna_petrova! (@boris_77)', ['@anna_petrova', '@boris_77']],
  ['@anna_petrova, @ANNA_PETROVA.', ['@anna_petrova', '@ANNA_PETROVA']],
  ['@anna @имяимя @anna-petrova @', []],
  [`@${'a'.repeat(32)} @${'b'.repeat(33)}`, [`@${'a'.repeat(32)}`]],
  ['@\u212Aelvin_s @an\u017Fna', []],
  ['@anna_я @annaя_petrova', []],
  ['вася@anna_petrova a1@anna_petrova', []],
  ['anna_p@boris_mail.ru anna.@boris_77 a+@boris_77 a-@boris_77', []],
  ['@anna_petrova@example.org @example.org @boris_77.ru', []],
  [
    'https://example.com/#слово https://example.com/@anna_petrova',
    ['https://example.com/#слово', 'https://example.com/@anna_petrova'],
  ],
  ['https://localhost/#слово https://bank.ru@evil_site/ ahttps://a.ru/(#слово', []],
  ['example.com/#слово example.com/@anna_petrova ?a=#слово ftp://@anna_petrova', []],
];

for (const [text, links] of [...texts, ...words]) {
  test(`links of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(linked(text), links);
    assert.equal(joined(text), text);
  });
}

test('a hashtag leads to the search for it, a mention to the page of the person', () => {
  assert.deepEqual(splitLinks('о #ёлка_1 от @Anna_P'), [
    { text: 'о ', at: 0 },
    { text: '#ёлка_1', at: 2, href: '/search?q=%23%D1%91%D0%BB%D0%BA%D0%B0_1' },
    { text: ' от ', at: 9 },
    { text: '@Anna_P', at: 13, href: '/users/Anna_P' },
  ]);
});

/** Addresses whose hosts read like others, and what is shown. */
const misleading: Array<[string, string]> = [
  ['https://bank.ru\u2044login.evil.org/', 'https://bank.xn--rulogin-2d7c.evil.org/'],
  ['https://bank.ru\u2215login.evil.org/a', 'https://bank.xn--rulogin-df0d.evil.org/a'],
  ['https://b\u0430nk.ru/', 'https://xn--bnk-6cd.ru/'],
  ['https://пример.р\u0066/', 'https://xn--e1afmkfd.xn--f-4tb/'],
  ['https://сосоа.com', 'https://xn--80a1aakb.com/'],
  ['https://b\u0131tcoin.org/', 'https://xn--btcoin-p9a.org/'],
  ['https://b\u0251nk.ru/', 'https://xn--bnk-gsb.ru/'],
  ['https://bank\u3002ru/', 'https://bank.ru/'],
  ['https://b\u00adank.ru/', 'https://bank.ru/'],
  ['https://%62ank.ru/', 'https://bank.ru/'],
  ['https://evil.org\\.bank.ru/', 'https://evil.org/.bank.ru/'],
  ['https:///evil.org/', 'https://evil.org/'],
];

for (const [text, shown] of misleading) {
  test(`shows ${JSON.stringify(text)} with its ASCII host`, () => {
    assert.deepEqual(splitLinks(text), [{ text, at: 0, href: shown, shown }]);
  });
}

test('an address whose host reads like no other one is shown as it is written, and leads to its ASCII form', () => {
  for (const [text, host] of [
    ['http://пример.рф/путь', 'xn--e1afmkfd.xn--p1ai'],
    ['https://Кафе-2.example.com/', 'xn---2-6kcux5d.example.com'],
    ['https://сос.рф/', 'xn--n1afb.xn--p1ai'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://łódź.pl/', 'xn--d-uga0v4h.pl'],
    ['https://xn--e1afmkfd.xn--p1ai/', 'xn--e1afmkfd.xn--p1ai'],
    ['HTTPS://Example.com:8080/\u2044', 'example.com:8080'],
  ] as const) {
    const [part, ...rest] = splitLinks(text);
    assert.deepEqual([part!.text, part!.shown, rest, part!.href!.split('/')[2]], [text, undefined, [], host]);
  }
});

const pieces = fc.constantFrom(...'http:// https:// пример.рф a.ru / ( ) [ ] . , @ : # @anna_p'.split(' '));
const hostile = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 40 }).map((all) => all.join(''));

test('the parts of any text join to the text, and links are http, https or paths of this site', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      assert.equal(joined(text), text);
      for (const { text: part, at, href } of splitLinks(text)) {
        assert.equal(text.slice(at, at + part.length), part);
        if (href !== undefined) assert.match(href, /^(https?:\/\/|\/search\?q=%23|\/users\/\w)/);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('splits hostile texts in linear time', () => {
  for (const unit of 'https:// https://[ https://a.ru/( https://a.ru/) . https://a.ru. # #я @a я @aя'.split(' ')) {
    assert.ok(processorMs(() => splitLinks(unit.repeat(20_000))) < 1_000, unit);
  }
});
