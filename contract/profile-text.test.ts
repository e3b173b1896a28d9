import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayNameKey, normalizeAbout, normalizeDisplayName, transliterate } from './profile-text.ts';

const stored = (raw: string): string | null => {
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
    [`А${'\u0316'.repeat(40)}ня`, `А${'\u0316'.repeat(4)}ня`],
    ['李小龙', '李小龙'],
  ] as const) {
    assert.equal(stored(raw), text);
    assert.equal(stored(text), text, 'it changes again');
  }
});

test('a name without ink is none', () => {
  for (const raw of ['', ' \n ', '\u2800', '\u3164', '\u200b\ufeff', '\u115f\u1160']) assert.equal(stored(raw), null);
});

test('the limit counts code points of what is stored', () => {
  assert.equal(stored('😀'.repeat(32)), '😀'.repeat(32));
  assert.equal(stored(` ${'ж'.repeat(32)}\u200b `), 'ж'.repeat(32));
  assert.deepEqual(normalizeDisplayName('ж'.repeat(33)), {
    ok: false,
    reason: 'Имя длиннее 32 знаков. Сократите его.',
  });
  assert.ok(normalizeAbout('ж'.repeat(160)).ok);
  assert.ok(!normalizeAbout('ж'.repeat(161)).ok);
  assert.ok(!normalizeAbout('\ud800').ok);
});

test('names are found in any letter case, with е for ё', () => {
  assert.equal(displayNameKey('Семён ＡБ'), 'семен aб');
});

test('Cyrillic letters have Latin ones', () => {
  assert.equal(transliterate('Щёголь Юлия.Жук'), 'schegol yuliya.zhuk');
  assert.equal(transliterate('Їжак 7'), 'izhak 7');
});
