import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fold, stem, tagsIn, wordsIn } from './lexemes.ts';

/** One Russian word a line, in its forms. */
const list = await readFile(new URL('word-forms.txt', import.meta.url), 'utf8');
const words = list
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

const shareAtLeast = 0.94;

describe('stems', () => {
  it('are the same for at least 94 % of all pairs of forms of 300 words', () => {
    let [same, pairs] = [0, 0];
    for (const forms of words) {
      const stems = forms.map((form) => stem(fold(form)));
      pairs += forms.length * (forms.length - 1);
      for (const one of stems) same += stems.filter((other) => other === one).length - 1;
    }
    assert.ok(words.length >= 300 && pairs > 30_000);
    assert.ok(same / pairs >= shareAtLeast, `${same} of ${pairs}`);
  });

  it('tell different words apart', () => {
    const groups = [
      'совет сова совесть',
      'газета газ',
      'стол столица столб',
      'мост место',
      'порт портрет портфель',
      'роман романтика',
      'билет била',
      'песня пёс',
      'школа шкала',
      'кот код ход',
    ];
    for (const group of groups) {
      const stems = group.split(' ').map((word) => stem(fold(word)));
      assert.equal(new Set(stems).size, stems.length, `${group}: ${stems.join(' ')}`);
    }
  });

  it('are the same for forms of English words', () => {
    assert.equal(stem('running'), stem('runs'));
    assert.equal(stem('connected'), stem('connecting'));
  });
});

const formsOf = (text: string): string[] => wordsIn(text).map(({ form }) => form);

describe('words', () => {
  it('are split at everything but letters and digits', () => {
    assert.deepEqual(formsOf('Кто-нибудь, по_сле 12:30? — «Да!» ps5'), 'кто нибудь по сле 12 30 да ps5'.split(' '));
    assert.deepEqual(formsOf(' \n…🔥 " * ^ ( ) : -'), []);
  });

  it('are folded: case, ё, marks, width, invisible characters', () => {
    assert.deepEqual(formsOf('ЁЛКИ е\u0308лки Елки'), ['елки', 'елки', 'елки']);
    assert.deepEqual(formsOf('мой мо\u0438\u0306 йод'), ['мой', 'мой', 'йод']);
    assert.deepEqual(formsOf('за\u0301мок зам\u00adок ＡＢＣ ﬁn café'), ['замок', 'замок', 'abc', 'fin', 'cafe']);
  });

  it('have places in UTF-16 units', () => {
    const text = '🔥 Ёлка\u0301, 𝐀';
    const places = wordsIn(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(places, ['Ёлка\u0301', '𝐀']);
  });

  it('are cut when they are too long for the index', () => {
    const [word] = wordsIn('я'.repeat(500));
    assert.equal(word!.form.length, 64);
  });

  it('are folded no further than the index needs', ({ mock }) => {
    // Normalization makes a phrase of eighteen characters from this letter.
    const long = `б${'\ufdfa'.repeat(499)}`;
    const normalize = mock.method(String.prototype, 'normalize');
    const [word] = wordsIn(long);
    const letters = normalize.mock.calls.reduce((sum, { result }) => sum + result!.length, 0);
    normalize.mock.restore();
    assert.equal(word!.form, `б${'صلىاللهعليهوسلم'.repeat(5)}`.slice(0, 64));
    assert.ok(letters < 500, `${letters} letters`);
  });
});

describe('tags', () => {
  const namesIn = (text: string): string[] => tagsIn(text).map(({ tag }) => tag);

  it('begin with # outside of words and addresses and have a letter', () => {
    assert.deepEqual(namesIn('#Ёлка и (#мой_город), #2026!'), ['елка', 'мойгород']);
    assert.deepEqual(namesIn('a#b ##c https://wall.example/x#часть http://wall.example/#d & &#33;'), []);
  });
});
