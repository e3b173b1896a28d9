import type { ReportedPost } from '#contract/moderation.ts';
import { listReportedPosts, type ListedPost } from '../../features/reports/reported-posts.ts';
import { reasons } from '../../features/reports/rules.ts';
import type { Command } from './command.ts';
import { readNumber } from './options.ts';
import { block, line, localTime } from './terminal.ts';

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
