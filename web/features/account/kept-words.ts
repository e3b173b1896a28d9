import type { KeptData } from '#contract/account.ts';
import { exactTime } from '../../lib/time.ts';

const thousands = new Intl.NumberFormat('ru');

/** How much of a kind is kept. */
export const keptNumber = (count: number): string => (count === 0 ? 'нет' : thousands.format(count));

/** From when the rows are. Only for those with a time. */
export function keptSpan({ count, first_at: first, last_at: last }: KeptData): string {
  const [from, to] = [exactTime(first!), exactTime(last!)];
  if (count === 1 || from === to) return from;
  return `с ${from} по ${to}`;
}

/** The kinds under their headings, in their order. */
export function keptSections(kept: KeptData[]): { section: string; items: KeptData[] }[] {
  return [...Map.groupBy(kept, ({ section }) => section)].map(([section, items]) => ({ section, items }));
}
