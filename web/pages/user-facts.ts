const plural = new Intl.PluralRules('ru');
const posts: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'запись', few: 'записи' };
const months = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');

/** '12 записей · на стене с ноября 2025 года'. In UTC: the server does not know the reader's time zone. */
export function userFacts(count: number, createdAt: number, now: number): string {
  const [since, today] = [new Date(createdAt * 1000), new Date(now * 1000)];
  const year = since.getUTCFullYear() === today.getUTCFullYear() ? '' : ` ${since.getUTCFullYear()} года`;
  const noun = posts[plural.select(count)] ?? 'записей';
  return `${count} ${noun} · на стене с ${months[since.getUTCMonth()]}${year}`;
}
