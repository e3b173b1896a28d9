const plural = new Intl.PluralRules('ru');
const months = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');

/** The forms of a noun after 1, 2 and 5. */
type Forms = readonly [one: string, few: string, many: string];

/** '12 записей · на стене с ноября 2025 года'. In UTC: the server does not know the reader's time zone. */
export function userFacts(count: number, [one, few, many]: Forms, createdAt: number, now: number): string {
  const [since, today] = [new Date(createdAt * 1000), new Date(now * 1000)];
  const year = since.getUTCFullYear() === today.getUTCFullYear() ? '' : ` ${since.getUTCFullYear()} года`;
  const noun = { one, few }[plural.select(count) as string] ?? many;
  return `${count} ${noun} · на стене с ${months[since.getUTCMonth()]}${year}`;
}
