import { limits } from './limits.ts';
import type { Owner } from './posts.ts';
import { codePoints } from './text.ts';
import { isUsername } from './username.ts';

/** `text` is null for an empty line. */
export type ProfileLine = { ok: true; text: string | null } | { ok: false; reason: string };

/**
 * Characters without a picture of their own: controls, bidi marks, fillers, blank signs of scripts and of music. Line breaks, which
 * become spaces, and what joins and colours emoji are kept.
 */
const dropped =
  /(?![\t\n\r]|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]|\u200d(?!\p{Extended_Pictographic})|(?<!\p{Emoji})\ufe0f/gu;
/** At most four marks on a letter are kept: more marks, which no language uses, would reach into other lines. */
const stackedMarks = /(\p{M}{1,4})\p{M}*/gu;

/** The stored form of a display name, in any alphabet. Idempotent. */
export const normalizeDisplayName = (raw: string): ProfileLine =>
  normalizeLine(raw, limits.displayNameLength, `Имя длиннее ${limits.displayNameLength} знаков. Сократите его.`);

/** The stored form of the line that a person writes about themselves. Idempotent. */
export const normalizeAbout = (raw: string): ProfileLine =>
  normalizeLine(raw, limits.aboutLength, `Текст о себе длиннее ${limits.aboutLength} знаков. Сократите его.`);

/** Text of one line, without invisible characters and marks that reach into other lines. */
export function normalizeLine(raw: string, atMost: number, tooLong: string): ProfileLine {
  if (!raw.isWellFormed()) return { ok: false, reason: 'В тексте есть недопустимые символы. Удалите их.' };
  if (raw.length > limits.bodyBytes) return { ok: false, reason: tooLong };
  const text = raw.replace(dropped, '').replace(stackedMarks, '$1').normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (text === '') return { ok: true, text: null };
  return codePoints(text) > atMost ? { ok: false, reason: tooLong } : { ok: true, text };
}

/** The key by which names are compared with a typed beginning: it ignores case and the difference of е and ё. */
export const displayNameKey = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll('ё', 'е');

/** Whether one of a person's names begins with what was typed. */
export const isNamedLike = (
  { username, display_name: name }: Pick<Owner, 'username' | 'display_name'>,
  typed: string,
): boolean => [username, name ?? ''].some((each) => displayNameKey(each).startsWith(displayNameKey(typed)));

const latin: Readonly<Record<string, string>> = Object.fromEntries(
  'а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ sch ы y э e ю yu я ya і i ї i є e ґ g'
    .split(' ')
    .map((letter, i, all) => [letter, all[i + 1] ?? ''])
    .filter((_, i) => i % 2 === 0),
);

/** Transliterates Cyrillic letters to lower-case Latin letters. Letters of other alphabets and other characters are kept. */
export const transliterate = (text: string): string =>
  text.toLowerCase().replaceAll(/[а-яёіїєґ]/g, (letter) => latin[letter] ?? '');

const namesakesAtMost = 9;

/** Usernames that can stand for a name, the preferred one first; none if the name has too few Latin or Cyrillic letters. */
export function usernamesFrom(name: string): string[] {
  const base = latinName(name, limits.usernameMax - 2);
  const numbered = Array.from({ length: namesakesAtMost }, (_, i) => `${base}_${i + 1}`);
  // The first number stands only where the name alone is too short.
  return (isUsername(base) ? [base, ...numbered.slice(1)] : numbered).filter(isUsername);
}

/** Makes a part of a username from a text: Latin letters and digits with single underscores between them. */
export const latinName = (text: string, atMost: number): string =>
  transliterate(text)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .slice(0, atMost)
    .replace(/_$/, '');
