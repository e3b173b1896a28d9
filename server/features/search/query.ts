import { stemOf, tagsIn, type Word, wordsIn } from '#contract/lexemes.ts';

const latin = `\`qwertyuiop[]asdfghjkl;'zxcvbnm,.`;
const cyrillic = 'ёйцукенгшщзхъфывапролджэячсмитьбю';
const shifted = { latin: '~{}:<>', cyrillic: 'ЁХЪЖБЮ' };

const toCyrillic = new Map<string, string>();
const toLatin = new Map<string, string>();
for (const [i, key] of Array.from(latin).entries()) {
  const letter = cyrillic.charAt(i);
  toCyrillic.set(key, letter);
  toLatin.set(letter, key);
  if (key.toUpperCase() === key) continue;
  toCyrillic.set(key.toUpperCase(), letter.toUpperCase());
  toLatin.set(letter.toUpperCase(), key.toUpperCase());
}
for (const [i, key] of Array.from(shifted.latin).entries()) toCyrillic.set(key, shifted.cyrillic.charAt(i));

/** Operators and tags are not converted to the other layout. */
const isUnchanged = /^(?:от:|по:|[сc]:|#)/iu;

/** What the same keys type in the other keyboard layout; undefined for a query with letters of both alphabets or of neither. */
export function inOtherLayout(query: string): string | undefined {
  const parts = query.split(/(\s+)/u);
  const typed = parts.filter((part) => !isUnchanged.test(part)).join('');
  const [hasLatin, hasCyrillic] = [/[a-z]/i.test(typed), /[а-яё]/i.test(typed)];
  if (hasLatin === hasCyrillic) return undefined;
  const keys = hasLatin ? toCyrillic : toLatin;
  return parts
    .map((part) => (isUnchanged.test(part) ? part : Array.from(part, (char) => keys.get(char) ?? char).join('')))
    .join('');
}

export type Wanted = Pick<Query, 'stems' | 'phrases' | 'tags'>;

export type Range = [start: number, end: number];

/**
 * The ranges of a text that match a query, in order and without overlaps. Undefined when a phrase is missing, which the index
 * cannot tell because it contains only words.
 */
export function highlightsOf(text: string, { stems, phrases, tags }: Wanted): Range[] | undefined {
  const words = wordsIn(text);
  const ranges: Range[] = [];
  for (const phrase of phrases) {
    const found = placesOf(phrase, words);
    if (found.length === 0) return undefined;
    ranges.push(...found);
  }
  const asked = new Set(stems);
  // Computing stems takes ten times as long as splitting the text, so it is skipped when no stem is wanted.
  if (asked.size > 0) {
    for (const { form, start, end } of words) if (asked.has(stemOf(form))) ranges.push([start, end]);
  }
  if (tags.length > 0) {
    for (const { tag, start, end } of tagsIn(text)) if (tags.includes(tag)) ranges.push([start, end]);
  }
  return merged(ranges);
}

function placesOf(phrase: readonly string[], words: readonly Word[]): Range[] {
  const places: Range[] = [];
  for (let first = 0; first + phrase.length <= words.length; first += 1) {
    if (phrase.every((form, i) => words[first + i]!.form === form)) {
      places.push([words[first]!.start, words[first + phrase.length - 1]!.end]);
    }
  }
  return places;
}

function merged(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = result.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** The conditions of a query. A post must match all of them. */
export interface Query {
  /** Stems of words that may have any form. */
  stems: readonly string[];
  /** Folded words that stand together in exactly these forms. */
  phrases: ReadonlyArray<readonly string[]>;
  tags: readonly string[];
  /** Username of the author. */
  author: string | undefined;
  /** Unix seconds: not before. */
  from: number | undefined;
  /** Unix seconds: before. */
  until: number | undefined;
}

/** More words would only cost time. */
const wordsAtMost = 20;
const daySeconds = 24 * 3_600;

export type Parsed = { ok: true; query: Query } | { ok: false; message: string };

const refuse = (message: string): Parsed => ({ ok: false, message });

/** Straight and typographic quotation marks: keyboards of phones insert the latter. */
const phrase = /["“”„«]([^"“”„«»]*)["“”„»]/gu;
const author = /^(?:от|from):@?(\S+)$/iu;
/** Accepts the Cyrillic с and the Latin c, which look the same. */
const date = /^([сc]|по):(\d{4})-(\d{2})-(\d{2})$/iu;

/** Reads a query as people type it: `ёлка "точная фраза" от:имя с:2026-01-01 по:2026-02-01 #слово`. */
export function parseQuery(text: string): Parsed {
  const asked: { author?: string; from?: number; until?: number } = {};
  const phrases: string[][] = [];
  const rest = text.replace(phrase, (_, inside: string) => {
    const words = wordsIn(inside).map(({ form }) => form);
    if (words.length > 0) phrases.push(words);
    return ' ';
  });
  const free: string[] = [];
  for (const part of rest.split(/\s+/u)) {
    const [, name] = author.exec(part) ?? [];
    const [, side, ...digits] = date.exec(part) ?? [];
    if (name !== undefined) asked.author = name;
    else if (side === undefined) free.push(part);
    else {
      const day = dayOf(digits);
      if (day === undefined) return refuse(`Такой даты нет: ${digits.join('-')}. Дата пишется так: 2026-01-31.`);
      if (side.toLowerCase() === 'по') asked.until = Math.min(day + daySeconds, asked.until ?? Infinity);
      else asked.from = Math.max(day, asked.from ?? 0);
    }
  }
  const words = free.join(' ');
  const tags = tagsIn(words);
  const stems = wordsIn(words)
    .filter(({ start, end }) => !tags.some((tag) => tag.start <= start && end <= tag.end))
    .map(({ form }) => stemOf(form));
  const query: Query = {
    stems: [...new Set(stems)],
    phrases,
    tags: [...new Set(tags.map(({ tag }) => tag))],
    author: asked.author,
    from: asked.from,
    until: asked.until,
  };
  const count = query.stems.length + query.tags.length + phrases.flat().length;
  const isFiltered = [asked.author, asked.from, asked.until].some((filter) => filter !== undefined);
  if (count === 0 && !isFiltered) return refuse('Введите слова, автора или даты.');
  if (count > wordsAtMost) return refuse(`Слишком много слов. Оставьте не больше ${wordsAtMost}.`);
  return { ok: true, query };
}

/** The start of a day in UTC: the server does not know the reader's time zone. Undefined for a day that does not exist. */
function dayOf([year, month, day]: string[]): number | undefined {
  const text = `${year}-${month}-${day}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : time / 1_000;
}
