import type { ProfileLine } from './profile-text.ts';

/** Maximum length of the input. The longest emoji, a kiss of people with two skin tones, has 15 code units; there may be white space around. */
const longest = 32;

const refused: ProfileLine = {
  ok: false,
  reason: 'Значок — это один эмодзи, например 🦊, без букв и цифр.',
};

/** Signs that suggest that a person is a keeper or has been verified. */
const ofKeepers = new Set(['✅', '☑', '✔', '✓', '👑', '🛡', '🫅', '👮', '🚨']);

/** The message for a face or a display name with such a sign; null if there is none. */
export const keeperSignProblem = (text: string): string | null =>
  [...text].some((sign) => ofKeepers.has(sign))
    ? 'Такой значок похож на знак тех, кто ведёт стену. Выберите другой.'
    : null;

/** Compiled when it is first needed, because compiling takes milliseconds. */
let emoji: RegExp | undefined;

/** The stored form of a face: one emoji, or null. Adds U+FE0F, which makes ❤ coloured, if the keyboard has left it out. Idempotent. */
export function normalizeFace(raw: string): ProfileLine {
  if (raw.length > longest) return refused;
  const text = raw.trim();
  if (text === '') return { ok: true, text: null };
  emoji ??= /^\p{RGI_Emoji}$/v;
  const found = [text, `${text}\u{fe0f}`].find((each) => emoji!.test(each));
  if (found === undefined) return refused;
  const reason = keeperSignProblem(found);
  return reason === null ? { ok: true, text: found } : { ok: false, reason };
}
