import { serverNow } from './server-clock.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The time since `at`, both in unix seconds, in whole units rounded down. The future is 'сейчас': clocks differ a little. */
export function relativeTime(at: number, now: number): string {
  const passed = now - at;
  if (passed < minute) return 'сейчас';
  if (passed < hour) return `${Math.floor(passed / minute)} мин.`;
  if (passed < day) return `${Math.floor(passed / hour)} ч.`;
  const days = Math.floor(passed / day);
  if (days < 7) return `${days} дн.`;
  if (days < 30) return `${Math.floor(days / 7)} нд.`;
  if (days < 365) return `${Math.min(11, Math.floor(days / 30))} м.`;
  return yearsAgo(Math.floor(days / 365));
}

/** 1 г., 2 г., 5 л., 11 л., 21 г. */
function yearsAgo(years: number): string {
  const teen = years % 100 >= 11 && years % 100 <= 14;
  const few = years % 10 >= 1 && years % 10 <= 4;
  return `${years} ${few && !teen ? 'г.' : 'л.'}`;
}

const exact = new Intl.DateTimeFormat('ru', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/**
 * '20 ноября, 12:34' in the reader's own time zone, with the year if it is another one. Built from parts because engines
 * join them differently.
 */
export function exactTime(at: number, now: number = serverNow()): string {
  const [part, thisPart] = [partsOf(at), partsOf(now)];
  const year = part['year'] === thisPart['year'] ? '' : ` ${part['year']} г.`;
  return `${part['day']} ${part['month']}${year}, ${part['hour']}:${part['minute']}`;
}

const partsOf = (at: number): Record<string, string> =>
  Object.fromEntries(exact.formatToParts(at * 1000).map(({ type, value }) => [type, value]));

/** For the `datetime` attribute. */
export function machineTime(at: number): string {
  return new Date(at * 1000).toISOString();
}
