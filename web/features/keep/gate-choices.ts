import { gatePostsMax } from '#contract/keep-settings.ts';

const numbers = Array.from({ length: gatePostsMax }, (_, i) => i + 1);

export const gateChoices = [
  { id: '0', name: 'Появляются сразу' },
  ...numbers.map((n) => ({ id: String(n), name: n === 1 ? 'Первая ждёт проверки' : `Первые ${n} ждут проверки` })),
];

/** Other values come from the API. */
export const gateHourChoices = (chosen: number) =>
  [...new Set([1, 6, 12, 24, 48, chosen])]
    .toSorted((a, b) => a - b)
    .map((hours) => ({ id: String(hours), name: `через ${hours} ч.` }));
