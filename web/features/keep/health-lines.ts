import type { Keep } from '#contract/keep.ts';

const gigabytes = (bytes: number): string => (bytes / 1e9).toLocaleString('ru', { maximumFractionDigits: 1 });

/** The state of the wall's machine in lines; `shownTime` says how a time is shown. */
export function healthLines({ version, last_backup: backup, disk }: Keep['health'], shownTime: (at: number) => string) {
  return [
    ['Последняя копия', backup === null ? 'Ни одной: настройте резервные копии на машине' : shownTime(backup)],
    ['Диск с данными', disk ? `свободно ${gigabytes(disk.free)} из ${gigabytes(disk.size)} ГБ` : 'неизвестно'],
    ['Версия программы', version],
  ] as const;
}
