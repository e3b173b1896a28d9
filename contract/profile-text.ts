import { limits } from './limits.ts';
import type { Owner } from './posts.ts';
import { codePoints } from './text.ts';

/** `text` is null for an empty line. */
export type ProfileLine = { ok: true; text: string | null } | { ok: false; reason: string };

/** Control and format characters, bidi marks among them. Line breaks become spaces; emoji may be joined. */
const dropped = /(?![\t\n\r\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}]|\u200d(?!\p{Extended_Pictographic})/gu;
/** More marks than any language stacks on one letter reach into other lines. */
const stackedMarks = /(\p{M}{1,4})\p{M}*/gu;
const invisible = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A name of people's own choice, in any alphabet, as it is stored. Idempotent. */
export const normalizeDisplayName = (raw: string): ProfileLine =>
  normalizeLine(raw, limits.displayNameLength, `Имя длиннее ${limits.displayNameLength} знаков. Сократите его.`);

/** People's words about themselves in one line, as they are stored. Idempotent. */
export const normalizeAbout = (raw: string): ProfileLine =>
  normalizeLine(raw, limits.aboutLength, `Текст о себе длиннее ${limits.aboutLength} знаков. Сократите его.`);

/** Text of one line, without what is invisible or reaches into other lines. */
export function normalizeLine(raw: string, atMost: number, tooLong: string): ProfileLine {
  if (!raw.isWellFormed()) return { ok: false, reason: 'В тексте есть недопустимые символы. Удалите их.' };
  if (raw.length > limits.bodyBytes) return { ok: false, reason: tooLong };
  const text = raw.replace(dropped, '').replace(stackedMarks, '$1').normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (text.replace(invisible, '') === '') return { ok: true, text: null };
  return codePoints(text) > atMost ? { ok: false, reason: tooLong } : { ok: true, text };
}

/** Two display names with the same key begin alike for the person who types one. */
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

/** The text in Latin letters of lower case. Signs of no alphabet known here stay. */
export const transliterate = (text: string): string =>
  text.toLowerCase().replaceAll(/[а-яёіїєґ]/g, (letter) => latin[letter] ?? '');

/** A username is made of Latin letters, digits and single underscores between them. */
export const latinName = (text: string, atMost: number): string =>
  transliterate(text)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .slice(0, atMost)
    .replace(/_$/, '');
