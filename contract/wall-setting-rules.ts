import { oneEmoji } from './emoji.ts';
import { limits } from './limits.ts';
import { normalizeLine, type ProfileLine } from './profile-text.ts';

/** In code points. It stands in titles, letters and on home screens. */
export const wallNameLength = 60;
/** In UTF-16 units. */
export const wallTextLength = 60_000;

/** The name of the wall as it is stored. */
export function normalizeWallName(raw: string): ProfileLine {
  const line = normalizeLine(raw, wallNameLength, `Имя длиннее ${wallNameLength} знаков. Сократите его.`);
  return line.ok && line.text === null ? { ok: false, reason: 'Введите имя стены.' } : line;
}

/** One line about the wall as it is stored. */
export const normalizeWallLine = (raw: string): ProfileLine =>
  normalizeLine(raw, limits.aboutLength, `Строка длиннее ${limits.aboutLength} знаков. Сократите её.`);

/** The emoji that stands for the wall as it is stored; null: the bricks do. */
export function normalizeWallMark(raw: string): ProfileLine {
  const text = raw.trim();
  if (text === '') return { ok: true, text: null };
  return oneEmoji(text) ? { ok: true, text } : { ok: false, reason: 'Нужен один эмодзи, например 🏡.' };
}

/** Settings of the gate before an owner has chosen: it is open, and once closed a post waits for a day at most. */
export const gateHours = 24;
export const gatePostsMax = 5;
export const gateHoursMax = 48;

export const contactForm = /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/;

/** An address of mail may be typed without `mailto:`. */
export function normalizeContact(raw: string): ProfileLine {
  const typed = raw.trim();
  const text = /^[^\s@:/]+@[^\s@/]+$/.test(typed) ? `mailto:${typed}` : typed;
  if (contactForm.test(text) && text.length <= limits.emailLength) return { ok: true, text };
  return { ok: false, reason: 'Нужна почта или адрес страницы, который начинается с https://.' };
}
