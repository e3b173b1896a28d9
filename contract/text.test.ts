import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { processorMs } from '../test/kit/processor-time.ts';
import { limits } from './limits.ts';
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

test('a post text keeps its words and line breaks', () => {
  assert.equal(accepted('  Привет,\r\nстена!\n\nЁж \t и 🦔 '), 'Привет,\nстена!\n\nЁж   и 🦔');
  assert.equal(accepted('и\u0306'), 'й');
  assert.equal(accepted('👨‍👩‍👧'), '👨‍👩‍👧');
});

test('controls and bidi overrides are dropped', () => {
  assert.equal(accepted('a\u0007b\u0085c\rd'), 'abcd');
  assert.equal(accepted('счёт \u202e001\u202c \u2066x\u2069'), 'счёт 001 x');
});

test('at most two consecutive empty lines remain', () => {
  assert.equal(accepted('a\n\n\nb'), 'a\n\n\nb');
  assert.equal(accepted('a\n\n\n\n\n\nb'), 'a\n\n\nb');
  assert.equal(accepted('a\n \n  \n \n\nb'), 'a\n\n\nb');
});

test('long runs of combining marks are cut', () => {
  assert.equal(accepted(`z${'\u0300\u0323'.repeat(200)}!`).length, 1 + 16 + 1);
});

test('marks that compose into fewer are not cut', () => {
  const word = `ක${'\u0dd9\u0dcf\u0dca'.repeat(16)}`;
  assert.equal(accepted(word), word.normalize('NFC'));
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

test('a text without visible characters is empty', () => {
  for (const raw of ['', ' \n\t', '\u200b\u200d', '\u2800', '\u3164\u115f', '\u{e0001}\ufe0f', '\u00ad\u2060']) {
    assert.equal(refused(raw), 'Введите текст записи.');
  }
});

test('NUL and lone surrogates are refused', () => {
  assert.match(refused('a\0b'), /недопустимые символы/);
  assert.match(refused('a\ud800b'), /недопустимые символы/);
});

test('500 code points fit, 501 do not', () => {
  assert.equal(codePoints(accepted('🦔'.repeat(500))), 500);
  assert.match(refused('🦔'.repeat(501)), /длиннее 500/);
  assert.match(refused('x'.repeat(1_000_000)), /длиннее 500/);
});

test('normalizing an accepted text again changes nothing, and it satisfies every rule', () => {
  const nasty = fc.constantFrom(
    '\r',
    '\n',
    ' ',
    '\t',
    '\u0300',
    '\u0323',
    '\u202e',
    '\u200d',
    'и',
    '\u0306',
    '\u1100',
    '\u1161',
  );
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
