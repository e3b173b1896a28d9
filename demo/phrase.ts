import wordLists from './corpus/words.json' with { type: 'json' };
import type { Random } from './random.ts';

/** Each list has the forms of its words in one grammatical case. */
const words: Record<string, readonly string[]> = wordLists;

export type Gender = 'm' | 'f';
export type Phrase = (random: Random, gender: Gender) => string;

/**
 * Compiles a phrase of the corpus:
 * `[кофе|чай]` chooses an alternative, `купил{|а}` the masculine or feminine form, `#city` a word of the list `city`.
 */
export function phrase(source: string): Phrase {
  const reader = { source, at: 0 };
  const compiled = sequence(reader, '');
  if (reader.at < source.length) throw new Error(`Unexpected "${source[reader.at]}" in phrase: ${source}`);
  return compiled;
}

interface Reader {
  source: string;
  at: number;
}

function sequence(reader: Reader, closing: string): Phrase {
  const parts: Phrase[] = [];
  while (reader.at < reader.source.length) {
    const sign = reader.source[reader.at]!;
    if (closing !== '' && (sign === '|' || sign === closing)) break;
    parts.push(part(reader, sign));
  }
  if (parts.length === 1) return parts[0]!;
  return (random, gender) => parts.reduce((text, render) => text + render(random, gender), '');
}

function part(reader: Reader, sign: string): Phrase {
  if (sign === '[') {
    const choices = alternatives(reader, ']');
    return (random, gender) => random.pick(choices)(random, gender);
  }
  if (sign === '{') {
    const [he, she] = alternatives(reader, '}') as [Phrase, Phrase];
    return (random, gender) => (gender === 'm' ? he : she)(random, gender);
  }
  const [text] = /^(#\w+|[^#[\]{}|]+)/.exec(reader.source.slice(reader.at)) ?? [];
  if (!text) throw new Error(`Unexpected "${sign}" in phrase: ${reader.source}`);
  reader.at += text.length;
  if (!text.startsWith('#')) return () => text;
  const list = words[text.slice(1)];
  if (!list) throw new Error(`No words "${text}" for phrase: ${reader.source}`);
  return (random) => random.pick(list);
}

function alternatives(reader: Reader, closing: string): Phrase[] {
  const found: Phrase[] = [];
  do {
    reader.at += 1;
    found.push(sequence(reader, closing));
  } while (reader.source[reader.at] === '|');
  if (reader.source[reader.at] !== closing) throw new Error(`No "${closing}" in phrase: ${reader.source}`);
  reader.at += 1;
  return found;
}
