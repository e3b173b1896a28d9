import { stemOf, tagsIn, wordsIn } from '../../search/words.ts';

/** The conditions of a query. A post must match all of them. */
export interface Query {
  /** Words in any form, by their stems. */
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

/** More would only cost time. */
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
