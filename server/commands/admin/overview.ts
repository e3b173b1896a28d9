import { listActs } from '../../features/moderation/journal.ts';
import { type Statistics, statistics } from '../../features/moderation/moderation-store.ts';
import { type CopyCheck, lastBackup, lastCopyCheck } from '../../ops/backups.ts';
import type { Command } from './command.ts';
import { readNumber } from './options.ts';
import { columns, toLine, localTime } from './terminal.ts';

export const log: Command = {
  name: 'log',
  options: ['limit'],
  summary: 'что делали операторы и модераторы: когда, кто, что и почему, последнее сначала',
  async run({ db, options }) {
    const actions = await listActs(db.read, readNumber(options, 'limit', 50));
    return {
      json: {
        actions: actions.map(({ id, at, operator, moderator_id: moderator, action, target, reason, details }) => ({
          id: String(id),
          at,
          operator,
          moderator: moderator === null ? null : String(moderator),
          action,
          target,
          reason,
          details: details === null ? null : (JSON.parse(details) as object),
        })),
      },
      text:
        actions.length === 0
          ? 'Действий ещё не было.'
          : columns(
              actions.map(({ at, operator, moderator_id: moderator, action, target, reason }) => [
                localTime(at),
                moderator === null ? toLine(operator) : `${toLine(operator)} (модератор)`,
                action,
                toLine(target ?? ''),
                toLine(reason),
              ]),
            ),
    };
  },
};

const names: Record<keyof Statistics, string> = {
  people: 'Людей',
  new_in_a_day: 'Новых за сутки',
  new_in_a_week: 'Новых за неделю',
  blocked: 'Заблокированных',
  moderators: 'Модераторов',
  sessions: 'Открытых сеансов',
  posts: 'Записей',
  replies: 'Ответов',
  likes: 'Отметок «Нравится»',
  removed_posts: 'Убранных записей и ответов',
  open_reports: 'Открытых жалоб',
};

const checked = ({ posts, differences, failure, shrunk }: CopyCheck): string =>
  failure === null
    ? `записей и ответов ${posts}, расхождений ${differences}${shrunk ? `; стена стала меньше вдвое: ${toLine(shrunk)}` : ''}`
    : toLine(failure);

export const stats: Command = {
  name: 'stats',
  options: [],
  summary: 'стена в числах',
  async run({ db, now }) {
    const counts = await statistics(db.read, now);
    const rows = Object.entries(names).map(([key, name]) => [
      name,
      counts[key as keyof Statistics].toLocaleString('ru-RU'),
    ]);
    const [backup, check] = [await lastBackup(db.read), await lastCopyCheck(db.read)];
    const copies = [
      ['Последняя копия', backup === 0 ? 'не было' : localTime(backup)],
      ['Проверка копии', check === null ? 'не было' : `${localTime(check.at)}, ${checked(check)}`],
    ];
    return { json: { ...counts, last_backup: backup || null, copy_check: check }, text: columns([...rows, ...copies]) };
  },
};
