import { type Forms, plural } from '../lib/plural.ts';

const months = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');

/** '12 записей · на стене с ноября 2025 года'. In UTC: the server does not know the reader's time zone. */
export function userFacts(count: number, noun: Forms, createdAt: number, now: number): string {
  const [since, today] = [new Date(createdAt * 1000), new Date(now * 1000)];
  const year = since.getUTCFullYear() === today.getUTCFullYear() ? '' : ` ${since.getUTCFullYear()} года`;
  return `${plural(count, noun)} · на стене с ${months[since.getUTCMonth()]}${year}`;
}
