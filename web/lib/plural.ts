/** The forms of a noun after 1, 2 and 5. */
export type Forms = readonly [one: string, few: string, many: string];

const rules = new Intl.PluralRules('ru');

/** '12 записей'. */
export const plural = (count: number, [one, few, many]: Forms): string =>
  `${count} ${{ one, few }[rules.select(count) as string] ?? many}`;
