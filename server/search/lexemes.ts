import { tagsIn, wordsIn } from './words.ts';

// A lexeme is what the index holds of a post: a stem, or a sign that no word contains and what it stands for. The signs
// are not ASCII, because the tokenizer of SQLite splits at other ASCII characters than letters and digits.

export const authorLexeme = (userId: number): string => `§${userId}`;
export const tagLexeme = (tag: string): string => `№${tag}`;

/**
 * Every lexeme belongs to one section of ids. To intersect two lists, an engine reads on until both have the same post, whichever
 * ids are wanted. With sections no list is longer than one of them, however large the wall is.
 */
export const sectionSize = 2 ** 20;
export const sectionOf = (id: number): number => Math.floor(id / sectionSize);
export const sectionSign = '×';
export const lexemeIn = (section: number, lexeme: string): string => `${lexeme}${sectionSign}${section}`;

export interface IndexedPost {
  id: number;
  user_id: number;
  text: string;
}

/** Everything a post is found by, each once. */
export function lexemesOf({ id, user_id: userId, text }: IndexedPost): string[] {
  const lexemes = new Set(wordsIn(text).map(({ stem }) => stem));
  for (const { tag } of tagsIn(text)) lexemes.add(tagLexeme(tag));
  lexemes.add(authorLexeme(userId));
  return Array.from(lexemes, (lexeme) => lexemeIn(sectionOf(id), lexeme));
}
