import type { ProfileLine } from './profile-text.ts';

/** No emoji is longer: flags of regions have 14 code units. What follows is not looked at. */
const longest = 32;

const refused: ProfileLine = {
  ok: false,
  reason: 'Значок — это один эмодзи, например 🦊, без букв и цифр.',
};

/** They say that somebody keeps the wall or has been verified. */
const ofKeepers = new Set(['✅', '☑', '✔', '👑', '🛡', '🫅', '👮', '🚨']);
const refusedOfKeepers: ProfileLine = {
  ok: false,
  reason: 'Такой значок похож на знак тех, кто ведёт стену. Выберите другой.',
};

/** Made at the first use, which costs milliseconds. */
let emoji: RegExp | undefined;

/** One emoji as it is stored; null for none. Some keyboards leave out the sign that makes ❤ coloured. Idempotent. */
export function normalizeFace(raw: string): ProfileLine {
  if (raw.length > longest) return refused;
  const text = raw.trim();
  if (text === '') return { ok: true, text: null };
  emoji ??= /^\p{RGI_Emoji}$/v;
  const found = [text, `${text}\u{fe0f}`].find((each) => emoji!.test(each));
  if (found === undefined) return refused;
  return ofKeepers.has([...found][0]!) ? refusedOfKeepers : { ok: true, text: found };
}
