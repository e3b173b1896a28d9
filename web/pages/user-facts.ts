const plural = new Intl.PluralRules('ru');

/** The forms of a noun after 1, 2 and 5. */
type Forms = readonly [one: string, few: string, many: string];

/** '12 записей · на стене с ноября 2026 года'. In UTC: the server does not know the reader's time zone. */
export function userFacts(count: number, [one, few, many]: Forms, createdAt: number): string {
  // '30 ноября 2026 г.': only with a day the month is in the genitive case.
  const since = new Date(createdAt * 1000).toLocaleDateString('ru', { dateStyle: 'long', timeZone: 'UTC' });
  const [, month, year] = since.split(/\s/);
  const noun = { one, few }[plural.select(count) as string] ?? many;
  return `${count} ${noun} · на стене с ${month} ${year} года`;
}
