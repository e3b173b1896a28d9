import { oneEmoji } from './emoji.ts';
import { limits } from './limits.ts';
import { normalizeLine, type ProfileLine } from './profile-text.ts';

/** Maximum length in code points. The name is in titles, in letters and on home screens. */
export const wallNameLength = 60;
/** Maximum length in code points. */
export const wallTextLength = 60_000;

/** The stored form of the wall's name. */
export function normalizeWallName(raw: string): ProfileLine {
  const line = normalizeLine(raw, wallNameLength, `Имя длиннее ${wallNameLength} знаков. Сократите его.`);
  return line.ok && line.text === null ? { ok: false, reason: 'Введите имя стены.' } : line;
}

export const normalizeWallLine = (raw: string): ProfileLine =>
  normalizeLine(raw, limits.aboutLength, `Строка длиннее ${limits.aboutLength} знаков. Сократите её.`);

/** The stored form of the emoji that stands for the wall; null if a picture of bricks does. */
export function normalizeWallMark(raw: string): ProfileLine {
  const text = raw.trim();
  if (text === '') return { ok: true, text: null };
  return oneEmoji(text) ? { ok: true, text } : { ok: false, reason: 'Нужен один эмодзи, например 🏡.' };
}

/**
 * The gate: the first posts of a newcomer wait for a moderator. `gateHours` is the default maximum wait, in hours. The gate is off
 * until an owner switches it on.
 */
export const gateHours = 24;
export const gatePostsMax = 5;
export const gateHoursMax = 48;

export const contactForm = /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/;

/** The stored form of the contact. An e-mail address may be typed without `mailto:`. */
export function normalizeContact(raw: string): ProfileLine {
  const typed = raw.trim();
  const text = /^[^\s@:/]+@[^\s@/]+$/.test(typed) ? `mailto:${typed}` : typed;
  if (contactForm.test(text) && text.length <= limits.emailLength) return { ok: true, text };
  return { ok: false, reason: 'Нужна почта или адрес страницы, который начинается с https://.' };
}
