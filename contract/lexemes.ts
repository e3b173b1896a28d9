import { stemmer as englishStem } from '@orama/stemmers/english';
import { stemmer as russianStem } from '@orama/stemmers/russian';
import { limits } from './limits.ts';
import { splitLinks } from './links.ts';

// The search finds a word by its stem. Snowball gives the forms of a Russian word different stems more often than those of an
// English word; the rules below unify most of them. All rules expect lower case and е for ё. docs/decisions/0039-search.md has
// the measurements.

/** Endings that only verbs have and that Snowball does not remove. */
const verbForms = [
  // рисовать, рисовала, рисованный and рисует, рисуют become рис
  /^(.{3,}?)[ое]ва(?:ть|л[аои]?|в|вши|нн?[а-я]*)(?:ся|сь)?$/,
  /^(.{3,}?)[ую](?:ешь|ет|ем|ете|ют|й|йте|я)(?:ся|сь)?$/,
  // умеет, умеют, умеешь
  /^(.{3,}?|ум)е(?:ешь|ет|ют|ете)(?:ся|сь)?$/,
  /^(.{2,})(?:ешь|еть)(?:ся)?$/,
  /^(.{2,})(?:ет|ут|ют|ат|ят)ся$/,
  // пишет, скажут, держат; not бюджет, which is a noun
  /^(?!бюджет|сюжет|манжет|планшет|рикошет)(.+[жш])(?:ет|ете|ут|ат)$/,
  /^(.*(?:ид|йд|ед|жив|нес|вез|раст|зов|йм|зьм|бер|буд|стан|верн|начн|хоч|ищ|кро|жд|бег|уч))(?:ет|ете|ут|ат)$/,
  // смотрел, хотела: many nouns end like verbs in -еть, so these are named
  /^(.*(?:смотр|вид|сид|лет|хот|терп|гор|бол|висе|гляд|шум|им|ум))ел[аои]?$/,
];

/** Stems of frequent irregular words, by the stem of another form. */
const irregular = new Map(
  Object.entries({
    дня: 'ден',
    дню: 'ден',
    дне: 'ден',
    дни: 'ден',
    дням: 'ден',
    днях: 'ден',
    днем: 'ден',
    друз: 'друг',
    сынв: 'сын',
    времн: 'врем',
    имн: 'им',
    дочр: 'доч',
    матр: 'мат',
    лжи: 'лож',
    пекар: 'пекарн',
    виш: 'вишн',
    шел: 'ид',
    шла: 'ид',
    шло: 'ид',
    шли: 'ид',
    идт: 'ид',
    пойт: 'пойд',
    пошл: 'пойд',
    пришл: 'прид',
    прийт: 'прид',
    нашл: 'найд',
    найт: 'найд',
    могл: 'мог',
    мож: 'мог',
    хоч: 'хот',
    ищ: 'иск',
    жит: 'жив',
    жил: 'жив',
    еха: 'ед',
    приех: 'приед',
    поех: 'поед',
    взят: 'возм',
    взял: 'возм',
    взя: 'возм',
    пон: 'пойм',
    хож: 'ход',
    нахож: 'наход',
    виж: 'вид',
    увиж: 'увид',
    сиж: 'сид',
    нош: 'нос',
    прош: 'прос',
    беж: 'бег',
    встреч: 'встрет',
  }),
);

/** The last consonant of a stem that changes in the forms of a verb: пишу and писать, скажу and сказать. */
const changed = /^(.*)(пиш|каж)$/;
const unchanged: Record<string, string> = { пиш: 'пис', каж: 'каз' };

/** The stem of a folded word. The language is chosen by the letters of the word. */
export function stem(word: string): string {
  if (/^[а-я]+$/.test(word)) return russian(word);
  return /^[a-z]+$/.test(word) ? englishStem(word) : word;
}

function russian(word: string): string {
  for (const form of verbForms) {
    const [, beginning] = form.exec(word) ?? [];
    if (beginning !== undefined) return unifyStem(beginning);
  }
  return unifyStem(word.endsWith('ьми') && word.length > 5 ? word.slice(0, -3) : russianStem(word));
}

/** Unifies different stems that Snowball makes of the forms of one word. */
function unifyStem(snowball: string): string {
  const unified = snowball
    // музе- of музея and муз- of музей
    .replace(/^(.{3,}?)[аеиоуыэюяйь]+$/, '$1')
    // скамеек and скамейка
    .replace(/([аеиоуя])ек$/, '$1йк')
    // пальца, деньги
    .replace(/ь([бвгджзклмнпрстфхцчшщ])$/, '$1')
    // ёлок and ёлка, отец and отца: the last vowel of a stem comes and goes
    .replace(/^(.*[аеиоуыэюя].*[^аеиоуыэюяй])[ое]([вгклнрц])$/, '$1$2')
    // люблю and любит
    .replace(/^(.{2,}[бвмпф])л$/, '$1');
  const [, before = '', consonant] = changed.exec(unified) ?? [];
  return consonant === undefined ? (irregular.get(unified) ?? unified) : before + unchanged[consonant]!;
}

/** A word of a text and its range there, in UTF-16 units. */
export interface Word {
  /** Folded: the same for Ёлки and елки. */
  form: string;
  start: number;
  end: number;
}

interface Tag {
  /** Folded, without the sign. */
  tag: string;
  start: number;
  end: number;
}

/** Letters and digits, with the marks and invisible characters between them. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Cf}]*/gu;
const isPlain = /^[a-zа-я0-9]+$/;
const notInWords = /[^\p{L}\p{N}]/gu;
/** `fold` normalizes a word in steps of a few letters, until it has enough: one letter may expand to eighteen. */
const someLetters = /(?:[\p{L}\p{N}][\p{M}\p{Cf}]*){1,8}/gu;
/** Words that differ only after this length are not distinguished. PostgreSQL limits a lexeme to 2 KB. */
const longestWord = 64;

/** Converts to lower case, ё to е, and removes all marks except that of й. */
export function fold(raw: string): string {
  // Most words are in lower case and short.
  if (raw.length <= longestWord && isPlain.test(raw)) return raw;
  const lower = raw.toLowerCase().replaceAll('ё', 'е');
  if (isPlain.test(lower)) return lower.slice(0, longestWord);
  let folded = '';
  for (const [letters] of lower.matchAll(someLetters)) {
    // The letter й and its mark become one character again, so that only other marks are removed.
    folded += letters.normalize('NFKD').replaceAll('и\u0306', 'й').replace(notInWords, '');
    if (folded.length >= 2 * longestWord) break;
  }
  folded = folded.toLowerCase();
  return folded.length > longestWord ? Array.from(folded).slice(0, longestWord).join('') : folded;
}

export function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  // `matchAll` would take a seventh longer. `exec` begins at the start again after it has returned null.
  for (let found = wordPattern.exec(text); found; found = wordPattern.exec(text)) {
    const [raw] = found;
    const form = fold(raw);
    if (form !== '') words.push({ form, start: found.index, end: found.index + raw.length });
  }
  return words;
}

/** The hashtags that are links in the text of a post. */
export function tagsIn(text: string): Tag[] {
  if (!text.includes('#')) return [];
  return splitLinks(text).flatMap(({ text: raw, at, href }) => {
    const tag = href !== undefined && raw.startsWith('#') ? fold(raw) : '';
    return tag === '' ? [] : [{ tag, start: at, end: at + raw.length }];
  });
}

const remembered = 20_000;
const stems = new Map<string, string>();

/**
 * The stem of a folded word, the same for елки and елок. Most words of a new post have been seen before, and a look-up takes a
 * tenth of the time.
 */
export function stemOf(form: string): string {
  const known = stems.get(form);
  if (known !== undefined) return known;
  const found = stem(form);
  if (stems.size >= remembered) stems.clear();
  stems.set(form, found);
  return found;
}

/** Begins with a sign that no word contains. It is not ASCII, because the tokenizer of SQLite splits at ASCII signs. */
export const tagLexeme = (tag: string): string => `№${tag}`;

let lastText = '';
let lastLexemes: readonly string[] = [];

/** The lexemes of a text, each once. A new post asks twice: for the index, and for those who follow its words. */
export function lexemesOfText(text: string): readonly string[] {
  if (text !== lastText) {
    const lexemes = new Set(wordsIn(text).map(({ form }) => stemOf(form)));
    for (const { tag } of tagsIn(text)) lexemes.add(tagLexeme(tag));
    lastText = text;
    lastLexemes = [...lexemes];
  }
  return lastLexemes;
}

/** The lexeme of one word or `#tag`; undefined if it is neither, or too long. */
export function lexemeOfWord(typed: string): string | undefined {
  if ([...typed].length > limits.wordLength) return undefined;
  const [tag, ...otherTags] = tagsIn(typed);
  if (tag)
    return tag.start === 0 && tag.end === typed.length && otherTags.length === 0 ? tagLexeme(tag.tag) : undefined;
  const [word] = wordsIn(typed);
  return word?.start === 0 && word.end === typed.length ? stemOf(word.form) : undefined;
}
