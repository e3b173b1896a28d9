import type { ReportedPost } from '#contract/moderation.ts';
import { listActs } from '../../features/moderation/journal.ts';
import { type Statistics, statistics } from '../../features/moderation/moderation-store.ts';
import { type ListedPost, listReportedPosts } from '../../features/reports/reported-posts.ts';
import { reasons } from '../../features/reports/report-store.ts';
import { type CopyCheck, lastBackup, lastCopyCheck } from '../../ops/backups.ts';
import type { Command } from './command.ts';
import { readNumber } from './options.ts';
import { block, columns, line, localTime } from './terminal.ts';

const stateNames: Record<ReportedPost['state'], string> = {
  visible: 'на стене',
  changed: 'на стене, текст с тех пор изменён',
  removed: 'убрана со стены',
  deleted: 'удалена',
};

export const reports: Command = {
  name: 'reports',
  options: ['open', 'limit'],
  summary: 'записи с жалобами, новые жалобы сначала; с --open — сначала те, что дольше всех ждут',
  async run({ db, options }) {
    const posts = await listReportedPosts(db.read, {
      state: options.open ? 'open' : 'all',
      limit: readNumber(options, 'limit', 20),
    });
    return {
      json: { posts: posts.map(toJson) },
      text: posts.length === 0 ? 'Жалоб нет.' : posts.map(toText).join('\n\n'),
    };
  },
};

const toJson = ({ post: { post_id: id, author, state, open, reports: list }, all }: ListedPost) => ({
  id,
  author: author.username,
  state,
  open,
  all,
  reports: list,
});

function toText({ post: { post_id: id, author, state, open, reports: list }, all }: ListedPost): string {
  const head = `Запись ${id} · ${line(author.username)} · ${stateNames[state]} · жалоб открыто ${open} из ${all}`;
  const groups = Map.groupBy(list, ({ text }) => text);
  return [head, ...[...groups].flatMap(([text, same]) => [block(text, '  │ '), ...same.map(reportLine)])].join('\n');
}

function reportLine({ by, at, reason_id: id, comment, open }: ReportedPost['reports'][number]): string {
  const reason = reasons.find((known) => known.id === id)?.name ?? id;
  return `  ${localTime(at)}  ${line(by!)}: ${line(reason)}${comment === null ? '' : `, «${line(comment)}»`}${open ? '' : ' (закрыта)'}`;
}

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
                moderator === null ? line(operator) : `${line(operator)} (модератор)`,
                action,
                line(target ?? ''),
                line(reason),
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
    ? `записей и ответов ${posts}, расхождений ${differences}${shrunk ? `; стена стала меньше вдвое: ${line(shrunk)}` : ''}`
    : line(failure);

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
