import { stemOf, tagsIn, type Word, wordsIn } from '../../search/words.ts';
import type { Query } from './query.ts';

export type Wanted = Pick<Query, 'stems' | 'phrases' | 'tags'>;

export type Range = [start: number, end: number];

/**
 * The ranges of a text that a query asks for, in order and without overlaps; undefined when a phrase is missing: the
 * index contains only words.
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
  // A stem takes ten times as long as a form.
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
