import { limits } from './limits.ts';

export type PostText = { ok: true; text: string } | { ok: false; reason: string };

const malformed = 'В тексте есть недопустимые символы. Удалите их и попробуйте ещё раз.';
const empty = 'Введите текст записи.';
const tooLong = `Текст длиннее ${limits.postLength} символов. Сократите его.`;

/** C0 and C1 controls but for the line break, and the bidi embeddings, overrides and isolates. */
const dropped = /[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;
/** What shows nothing: white space, format characters, default-ignorables, the blank Braille cell. */
const invisible = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const marksKept = 16;
/** Both match each run of marks once, to its end: an expression that only finds long runs tries short ones many times over. */
const markRun = new RegExp(`(\\p{M}{1,${marksKept}})\\p{M}*`, 'gu');
/**
 * NFC sorts a run of marks in a time that grows with its square. Before it, a run is cut to more marks than can become
 * those that are kept: at most three make one, and three more may go into the letter.
 */
const markRunBeforeNfc = new RegExp(`(\\p{M}{1,${4 * marksKept}})\\p{M}*`, 'gu');
/** Three lines or more that are empty or look so. */
const emptyLines = /\n(?:[^\S\n]*\n){3,}/g;

/**
 * The one form in which a post's text is kept, compared and counted, on both sides. Whatever it returns it returns
 * again when given its own result.
 */
export function normalizePostText(raw: string): PostText {
  if (!raw.isWellFormed() || raw.includes('\0')) return { ok: false, reason: malformed };
  // Long before anything is counted: what is cut away can't make a text of this size fit.
  if (raw.length > limits.bodyBytes) return { ok: false, reason: tooLong };
  const text = settle(raw);
  if (text.replace(invisible, '') === '') return { ok: false, reason: empty };
  if (codePoints(text) > limits.postLength) return { ok: false, reason: tooLong };
  return { ok: true, text };
}

/** How long a text will be once it is kept. */
export function postTextLength(raw: string): number {
  return codePoints(raw.length > limits.bodyBytes ? raw : settle(raw));
}

/** Unicode code points: how long a text is for people. */
export function codePoints(text: string): number {
  let n = 0;
  for (const _ of text) n += 1;
  return n;
}

function settle(raw: string): string {
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
