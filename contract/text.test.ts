import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { processorMs } from '../test/kit/processor-time.ts';
import { excerpt, shortened, quotedLines, splitQuotations, withoutSigns } from './text-parts.ts';
import { limits } from './limits.ts';
import { displayNameKey, normalizeAbout, normalizeDisplayName, transliterate } from './profile-text.ts';
import { codePoints, normalizePostText } from './text.ts';

const accepted = (raw: string): string => {
  const result = normalizePostText(raw);
  assert.ok(result.ok, `refused: ${JSON.stringify(raw)}`);
  return result.text;
};
const refused = (raw: string): string => {
  const result = normalizePostText(raw);
  assert.ok(!result.ok, `accepted: ${JSON.stringify(raw)}`);
  return result.reason;
};

/** Measures so many runs that their processor time, which is counted in ticks, is much longer than a tick. */
const cost = (raw: string): number =>
  processorMs(() => {
    for (let run = 0; run < 100; run += 1) normalizePostText(raw);
  });

test('a post text keeps its words and line breaks, without controls, turned text and many empty lines or marks', () => {
  const word = `ක${'\u0dd9\u0dcf\u0dca'.repeat(16)}`;
  for (const [raw, text] of [
    ['  Привет,\r\nстена!\n\nЁж \t и 🦔 ', 'Привет,\nстена!\n\nЁж   и 🦔'],
    ['и\u0306', 'й'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['a\u0007b\u0085c\rd', 'abcd'],
    ['счёт \u202e001\u202c \u2066x\u2069', 'счёт 001 x'],
    ['a\n\n\nb', 'a\n\n\nb'],
    ['a\n\n\n\n\n\nb', 'a\n\n\nb'],
    ['a\n \n  \n \n\nb', 'a\n\n\nb'],
    // Marks that compose into fewer are not cut.
    [word, word.normalize('NFC')],
  ] as const) {
    assert.equal(accepted(raw), text);
  }
  assert.equal(accepted(`z${'\u0300\u0323'.repeat(200)}!`).length, 1 + 16 + 1);
  assert.equal(codePoints(accepted(word)), 17);
});

test('no text of 16 kB takes many times as long as a plain one', () => {
  const marksInFallingOrder = [...'\u0345\u0360\u035c\u0315\u0300\u0316\u0327'];
  const falling = (length: number): string =>
    marksInFallingOrder.map((mark) => mark.repeat(Math.ceil(length / 7))).join('');
  const filled = (part: string): string => part.repeat(Math.floor(limits.bodyBytes / part.length));
  const plain = cost(filled('слово '));
  for (const [what, text] of Object.entries({
    'one run in falling order': falling(limits.bodyBytes).slice(0, limits.bodyBytes),
    'marks that become two each': filled('\u0f81\u0f73\u0f71'),
    'runs just long enough to keep': filled(`a${falling(15)}`),
    'runs just long enough to cut': filled(`a${falling(63)}`),
    'lines of spaces': filled(`\n${' '.repeat(4_000)}`),
    'empty lines': filled('\n \n'),
  })) {
    const times = cost(text) / plain;
    assert.ok(times < 10, `${what}: ${times.toFixed()} times`);
  }
});

test('a text is refused without visible characters, with characters that are none, and beyond 500 code points', () => {
  for (const raw of ['', ' \n\t', '\u200b\u200d', '\u2800', '\u3164\u115f', '\u{e0001}\ufe0f', '\u00ad\u2060']) {
    assert.equal(refused(raw), 'Введите текст записи.');
  }
  for (const raw of ['a\0b', 'a\ud800b']) assert.match(refused(raw), /недопустимые символы/);
  assert.equal(codePoints(accepted('🦔'.repeat(500))), 500);
  for (const raw of ['🦔'.repeat(501), 'x'.repeat(1_000_000)]) assert.match(refused(raw), /длиннее 500/);
});

test('normalizing an accepted text again changes nothing, and it satisfies every rule', () => {
  const nasty = fc.constantFrom(...'\r\n \t\u0300\u0323\u202e\u200dи\u0306\u1100\u1161');
  const unit = fc.oneof(
    nasty,
    fc.string({ unit: 'grapheme', maxLength: 3 }),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 80 }).map((parts) => parts.join('')),
      (raw) => {
        const first = normalizePostText(raw);
        if (!first.ok) return;
        assert.deepEqual(normalizePostText(first.text), first);
        assert.equal(first.text, first.text.trim().normalize('NFC'));
        assert.ok(codePoints(first.text) <= 500);
        assert.doesNotMatch(first.text, /[\r\t\0]|\n{4}|\p{M}{17}/u);
      },
    ),
    { numRuns: 2_000 },
  );
});

const storedName = (raw: string): string | null => {
  const line = normalizeDisplayName(raw);
  assert.ok(line.ok, raw);
  return line.text;
};

test('a display name is one line without signs that cannot be seen or that turn the text around', () => {
  for (const [raw, text] of [
    ['  Аня\t с \n Мира ', 'Аня с Мира'],
    ['Ан\u202eя\u200f', 'Аня'],
    ['Аня\u0000\u0007\u00ad', 'Аня'],
    ['и\u0306рина', 'йрина'],
    ['👩\u200d🌾 Аня', '👩\u200d🌾 Аня'],
    ['А\u200dня', 'Аня'],
    ['А\u2800н\ufffcя\u3164\u{1d159}\ufe0f', 'Аня'],
    ['Аня ❤\ufe0f 1\ufe0f\u20e3', 'Аня ❤\ufe0f 1\ufe0f\u20e3'],
    [`А${'\u0316'.repeat(40)}ня`, `А${'\u0316'.repeat(4)}ня`],
    ['李小龙', '李小龙'],
  ] as const) {
    assert.equal(storedName(raw), text);
    assert.equal(storedName(text), text, 'it changes again');
  }
  for (const raw of ['', ' \n ', '\u2800', '\u3164', '\u200b\ufeff', '\u115f\u1160', '\u{1d159}', '\ufe0f'])
    assert.equal(storedName(raw), null);
  for (const raw of ['😀'.repeat(32), 'ж'.repeat(32)]) assert.equal(storedName(` ${raw}\u200b `), raw);
  const tooLong = { ok: false, reason: 'Имя длиннее 32 знаков. Сократите его.' };
  assert.deepEqual(normalizeDisplayName('ж'.repeat(33)), tooLong);
  const abouts = ['ж'.repeat(160), 'ж'.repeat(161), '\ud800'].map((about) => normalizeAbout(about).ok);
  assert.deepEqual(abouts, [true, false, false]);
  assert.equal(displayNameKey('Семён ＡБ'), 'семен aб');
  assert.equal(transliterate('Щёголь Юлия.Жук, Їжак 7'), 'schegol yuliya.zhuk, izhak 7');
});

test('lines that begin with > are a quotation, whatever else ends a line than a line feed', () => {
  const text = 'Сначала\n> раз\n>> два\n\nПотом 2 > 1\n>';
  const blocks = splitQuotations(text);
  assert.deepEqual(
    blocks.map((block) => [block.quoted, block.text]),
    [
      [false, 'Сначала\n'],
      [true, '> раз\n>> два\n'],
      [false, '\nПотом 2 > 1\n'],
      [true, '>'],
    ],
  );
  for (const block of blocks) assert.equal(text.slice(block.at, block.at + block.text.length), block.text);
  assert.deepEqual(splitQuotations('а > б'), [{ quoted: false, text: 'а > б', at: 0 }]);
  assert.deepEqual(splitQuotations(''), []);
  const whole = '> а\u2028> б\r> в\n> г';
  assert.deepEqual(splitQuotations(whole), [{ quoted: true, text: whole, at: 0 }]);
  assert.equal(withoutSigns(whole), 'а\u2028> б\r> в\nг');
  const [, quotation] = splitQuotations('а\n> раз\n>> два\n>');
  assert.equal(withoutSigns(quotation!.text), 'раз\n> два');
  assert.deepEqual(quotedLines(quotation!), [
    { sign: '> ', text: 'раз\n', at: 4 },
    { sign: '>', text: '> два\n', at: 9 },
    { sign: '>', text: '', at: 16 },
  ]);
});

test('an excerpt is one line, cut between words, or inside a long one but never inside a character', () => {
  for (const [text, length, line] of [
    ['Доброе утро', 11, 'Доброе утро'],
    ['Раз\n\nдва\nтри', 60, 'Раз два три'],
    ['Сегодня первый снег и тишина', 20, 'Сегодня первый снег…'],
    ['Сегодня первый снег', 14, 'Сегодня первый…'],
    ['длинноесловобезпробелов', 7, 'длинное…'],
    ['😀😀😀😀', 5, '😀😀…'],
  ] as const) {
    assert.equal(excerpt(text, length), line);
  }
});

test('only a text that is longer than people can write is shortened, after twelve lines or as much as fills them', () => {
  const word = 'слово ';
  assert.equal(shortened('😀\n'.repeat(250)), null);
  assert.equal(shortened(word.repeat(100).trim()), null);
  assert.equal(shortened(word.repeat(1_000)), `${word.repeat(116).trim()}…`);
  assert.equal(shortened(`${word}\n`.repeat(100)), `${`${word}\n`.repeat(11)}${word}…`);
  assert.equal(shortened('я'.repeat(1_000)), `${'я'.repeat(700)}…`);
});
