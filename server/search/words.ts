import { splitLinks } from '#contract/links.ts';
import { stem } from './stem.ts';

/** A word of a text and its place there, in UTF-16 units. */
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

/** Letters and digits, with the marks and the invisible characters among them. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Cf}]*/gu;
const isPlain = /^[a-zа-я0-9]+$/;
const notInWords = /[^\p{L}\p{N}]/gu;
/** Few at a time: a letter may stand for eighteen others, and only the beginning of a long word counts. */
const someLetters = /(?:[\p{L}\p{N}][\p{M}\p{Cf}]*){1,8}/gu;
/** Beyond this two words are not distinguished. PostgreSQL limits a lexeme to 2 KB. */
const longestWord = 64;

/** Lower case, е for ё, and no marks but that of й. */
export function fold(raw: string): string {
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
  for (const { 0: raw, index } of text.matchAll(wordPattern)) {
    const form = fold(raw);
    if (form !== '') words.push({ form, start: index, end: index + raw.length });
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
 * The same for елки and ёлок. Most words of a new post have been seen before, and to look one up takes a tenth of the time.
 */
export function stemOf(form: string): string {
  const known = stems.get(form);
  if (known !== undefined) return known;
  const found = stem(form);
  if (stems.size >= remembered) stems.clear();
  stems.set(form, found);
  return found;
}
