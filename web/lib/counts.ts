const months = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');

/** '12 записей · на стене с ноября 2025 года'. The month is in UTC, because the server does not know the reader's time zone. */
export function userFacts(count: number, noun: Forms, createdAt: number, now: number): string {
  const [since, today] = [new Date(createdAt * 1000), new Date(now * 1000)];
  const year = since.getUTCFullYear() === today.getUTCFullYear() ? '' : ` ${since.getUTCFullYear()} года`;
  return `${plural(count, noun)} · на стене с ${months[since.getUTCMonth()]}${year}`;
}

/** A waiting time such as '40 сек.', '5 мин.' or '3 ч.', rounded up so that it is never too short. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} сек.`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} мин.`;
  return `${Math.ceil(seconds / 3_600)} ч.`;
}

const wait = /через (\d+) сек\.$/;

/** The seconds to wait at the end of a text, null if it ends otherwise, for example with minutes. */
export function secondsIn(text: string): number | null {
  const seconds = wait.exec(text)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** The same text with a smaller number of remaining seconds. */
export const withRemainingSeconds = (text: string, seconds: number): string =>
  text.replace(wait, seconds > 0 ? `через ${waitText(seconds)}` : 'уже сейчас.');

/** The forms of a noun after 1, 2 and 5. */
export type Forms = readonly [one: string, few: string, many: string];

const rules = new Intl.PluralRules('ru');

/** For the number of new replies, as in '+7 новых'. */
export const newOnes: Forms = ['новое', 'новых', 'новых'];

export const replyForms: Forms = ['ответ', 'ответа', 'ответов'];

/** '12 записей'. */
export const plural = (count: number, [one, few, many]: Forms): string =>
  `${count} ${{ one, few }[rules.select(count) as string] ?? many}`;

const units = [
  { size: 1e12, name: 'трлн.' },
  { size: 1e9, name: 'млрд.' },
  { size: 1e6, name: 'млн.' },
  { size: 1e3, name: 'тыс.' },
];

/** 999, 1 тыс., 1,2 тыс., 999,9 тыс., 1 млн.: one decimal, rounded down so that it never exceeds the count. */
export function shortCount(count: number): string {
  const unit = units.find(({ size }) => count >= size);
  if (unit === undefined) return String(count);
  // The count is divided in whole tenths, because floating point cannot represent 1.2 exactly.
  const tenths = Math.floor(count / (unit.size / 10));
  const whole = Math.floor(tenths / 10);
  const decimal = tenths % 10;
  return decimal === 0 ? `${whole} ${unit.name}` : `${whole},${decimal} ${unit.name}`;
}

/** 9:41 */
export function countdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
