import { limits } from './limits.ts';

/** The id of the reason «Другое», with which the reporter writes a comment. */
export const otherReason = 'other';

/** The stored form of a reporter's comment; null if there is none. */
export const normalizeComment = (typed = ''): PostText | { ok: true; text: null } =>
  typed.trim() === '' ? { ok: true, text: null } : normalizePostText(typed);

export type PostText = { ok: true; text: string } | { ok: false; reason: string };

const malformed = 'В тексте есть недопустимые символы. Удалите их и попробуйте ещё раз.';
const empty = 'Введите текст записи.';
const tooLong = `Текст длиннее ${limits.postLength} символов. Сократите его.`;

/** C0 and C1 controls except the line feed, and bidi embeddings, overrides and isolates. */
const dropped = /[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;
/** Invisible characters are white space, format characters, default-ignorables and the blank Braille cell. */
const visible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const isBlank = (text: string): boolean => !visible.test(text);
const marksStored = 16;
/** Matches each run of marks once, to its end. An expression that matches only long runs would take quadratic time on short runs. */
const markRun = new RegExp(`(\\p{M}{1,${marksStored}})\\p{M}*`, 'gu');
/**
 * NFC sorts a run of marks in quadratic time, so runs are cut before it. Enough marks remain for the second cut: NFC
 * composes at most three marks into one, and at most three more with the letter.
 */
const markRunBeforeNfc = new RegExp(`(\\p{M}{1,${4 * marksStored}})\\p{M}*`, 'gu');
/** Three or more lines without visible characters. */
const emptyLines = /\n(?:[^\S\n]*\n){3,}/g;

/** The form in which the server and the browser store, compare and count a post's text. Idempotent. */
export function normalizePostText(raw: string): PostText {
  if (!raw.isWellFormed() || raw.includes('\0')) return { ok: false, reason: malformed };
  // This limits the work below. A text of this size is refused even if it would be short after it is cleaned.
  if (raw.length > limits.bodyBytes) return { ok: false, reason: tooLong };
  const text = cleanText(raw);
  if (isBlank(text)) return { ok: false, reason: empty };
  if (text.length > limits.postLength && codePoints(text) > limits.postLength) return { ok: false, reason: tooLong };
  return { ok: true, text };
}

/** Maximum length of an imported text, in code points. Imported texts may be longer than people can write here. */
const longTextLength = 100_000;

/** The stored form of an imported text; empty if nothing of it is visible, undefined if it is too long. */
export function normalizeLongText(raw: string): string | undefined {
  if (raw.length > 2 * longTextLength) return undefined;
  const text = cleanText(raw.toWellFormed().replaceAll('\0', ''));
  if (isBlank(text)) return '';
  return codePoints(text) > longTextLength ? undefined : text;
}

/** The length of a text after normalization, in code points. */
export function postTextLength(raw: string): number {
  return codePoints(raw.length > limits.bodyBytes ? raw : cleanText(raw));
}

export function codePoints(text: string): number {
  let n = 0;
  for (const _ of text) n += 1;
  return n;
}

function cleanText(raw: string): string {
  return raw
    .replace(/\r\n/g, '\n')
    .replace(/\t/g, ' ')
    .replace(dropped, '')
    .replace(markRunBeforeNfc, '$1')
    .normalize('NFC')
    .replace(markRun, '$1')
    .replace(emptyLines, '\n\n\n')
    .trim();
}

/** Why a post that has waited for a moderator cannot be edited. */
export const checkedText = 'Запись прошла проверку, и её текст больше не меняется. Её можно удалить и написать новую.';
