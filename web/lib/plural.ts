/** The forms of a noun after 1, 2 and 5. */
export type Forms = readonly [one: string, few: string, many: string];

const rules = new Intl.PluralRules('ru');

/** For the number of new replies, as in '+7 новых'. */
export const newOnes: Forms = ['новый', 'новых', 'новых'];

/** '12 записей'. */
export const plural = (count: number, [one, few, many]: Forms): string =>
  `${count} ${{ one, few }[rules.select(count) as string] ?? many}`;
