const plural = new Intl.PluralRules('ru');
const months = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');

/** The forms of a noun after 1, 2 and 5. */
type Forms = readonly [one: string, few: string, many: string];

/** '12 записей · на стене с ноября 2026 года'. In UTC: the server does not know the reader's time zone. */
export function userFacts(count: number, [one, few, many]: Forms, createdAt: number): string {
  const since = new Date(createdAt * 1000);
  const noun = { one, few }[plural.select(count) as string] ?? many;
  return `${count} ${noun} · на стене с ${months[since.getUTCMonth()]} ${since.getUTCFullYear()} года`;
}
