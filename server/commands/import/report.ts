import { columns, line } from '../admin/terminal.ts';
import type { Summary } from './staging.ts';

const number = new Intl.NumberFormat('ru-RU');
const day = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long' });
const dayOf = (seconds: number | null): string => (seconds === null ? '' : day.format(seconds * 1_000));

/** The contents of the file, before anything is written. */
export function report(summary: Summary): string {
  const { people, posts, replies, likes, orphans, long, longest, first, last, media, skipped } = summary;
  const listed = (counts: ReadonlyMap<string, number>): Array<[string, string]> =>
    [...counts].toSorted(([, a], [, b]) => b - a).map(([name, n]) => [`  ${line(name)}`, number.format(n)]);
  const rows: Array<[string, string]> = [
    ['Людей', number.format(people)],
    ['Записей', number.format(posts)],
    ['Ответов', number.format(replies)],
    ['Отметок «Нравится»', number.format(likes)],
    ['Ответов на то, чего в файле нет (станут записями)', number.format(orphans)],
    ['Длиннее 500 знаков (останутся целиком)', `${number.format(long)}, самый длинный: ${number.format(longest)}`],
    ['Даты', `${dayOf(first)} — ${dayOf(last)}`],
  ];
  if (media.size > 0) rows.push(['Вложения станут словами в скобках', ''], ...listed(media));
  if (skipped.size > 0) rows.push(['Не переносится', ''], ...listed(skipped));
  return columns(rows);
}
