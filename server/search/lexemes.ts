import type { Database } from '../db/database.ts';
import { stemOf, tagsIn, wordsIn } from './words.ts';

type Engine = Database['engine'];

// A lexeme is what the index holds of a post: a stem, or a sign that no word contains and what it stands for. The signs
// are not ASCII, because the tokenizer of SQLite splits at other ASCII characters than letters and digits.

export const authorLexeme = (userId: number): string => `§${userId}`;
export const tagLexeme = (tag: string): string => `№${tag}`;

/**
 * Every lexeme belongs to one section of ids, so that no list is longer than a section, however large the wall is. To intersect
 * two lists, SQLite reads on until both have the same post, whichever ids are wanted. PostgreSQL also reads every post that it
 * finds in a section.
 */
export const sectionSizes: Readonly<Record<Engine, number>> = { sqlite: 2 ** 20, postgres: 2 ** 16 };
export const sectionOf = (engine: Engine, id: number): number => Math.floor(id / sectionSizes[engine]);
export const sectionSign = '×';
export const lexemeIn = (section: number, lexeme: string): string => `${lexeme}${sectionSign}${section}`;

export interface IndexedPost {
  id: number;
  user_id: number;
  text: string;
}

/** Everything a post is found by, each once. */
export function lexemesOf(engine: Engine, { id, user_id: userId, text }: IndexedPost): string[] {
  const lexemes = new Set(wordsIn(text).map(({ form }) => stemOf(form)));
  for (const { tag } of tagsIn(text)) lexemes.add(tagLexeme(tag));
  lexemes.add(authorLexeme(userId));
  return Array.from(lexemes, (lexeme) => lexemeIn(sectionOf(engine, id), lexeme));
}
