import type { Keep } from '#contract/keep.ts';
import { plural } from '../../lib/plural.ts';

const gigabytes = (bytes: number): string => (bytes / 1e9).toLocaleString('ru', { maximumFractionDigits: 1 });

const staleMs = 2 * 24 * 3_600_000;

function checkLine(check: Keep['health']['copy_check'], shownTime: (at: number) => string): string {
  if (check === null) return 'Не было: после каждой ночной копии её делает служба stena-backup';
  const { at, posts, differences, failure } = check;
  const found =
    failure === null
      ? `${plural(posts, ['запись', 'записи', 'записей'])}, ${plural(differences, ['расхождение', 'расхождения', 'расхождений'])}`
      : `стена не восстановилась: ${failure}`;
  const age = Date.now() - at * 1_000 > staleMs ? '. Это было больше двух дней назад' : '';
  return `${shownTime(at)}, ${found}${age}`;
}

/** The state of the wall's machine in lines; `shownTime` says how a time is shown. */
export function healthLines(
  { version, last_backup: backup, copy_check: check, disk }: Keep['health'],
  shownTime: (at: number) => string,
) {
  return [
    ['Последняя копия', backup === null ? 'Ни одной: настройте резервные копии на машине' : shownTime(backup)],
    ['Проверка копии', checkLine(check, shownTime)],
    ['Диск с данными', disk ? `свободно ${gigabytes(disk.free)} из ${gigabytes(disk.size)} ГБ` : 'неизвестно'],
    ['Версия программы', version],
  ] as const;
}
