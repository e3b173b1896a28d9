import { actPin, actUnpin } from '../../features/moderation/pin-acts.ts';
import type { Command } from './command.ts';
import { postIdOf } from './find.ts';
import { acting, readUntil } from './options.ts';
import { CommandError } from './command-error.ts';
import { localTime } from './terminal.ts';

const notPinned: Record<string, (id: number) => string> = {
  already: (id) => `Запись ${id} уже закреплена на это время.`,
  reply: (id) => `Запись ${id} — ответ. Закрепить можно только запись, которая стоит в ленте.`,
  past: () => '--until: это время уже прошло.',
};

export const pin: Command = {
  name: 'pin',
  target: 'ЗАПИСЬ',
  options: ['until', ...acting],
  summary: 'закрепить запись над лентой вместо прежней',
  async run({ db, target, options, act }) {
    const id = postIdOf(target);
    const until = readUntil(options);
    const by = act();
    const outcome = await db.tx((tx) => actPin(tx, { post: id, until }, by));
    if ('refused' in outcome) throw new CommandError(notPinned[outcome.refused]?.(id) ?? `Записи ${id} нет.`);
    const end = until === null ? '' : ` до ${localTime(until)}`;
    return { json: { post: String(id), pinned: true, until }, text: `Запись ${id} закреплена${end}.` };
  },
};

export const unpin: Command = {
  name: 'unpin',
  options: acting,
  summary: 'открепить запись',
  async run({ db, act }) {
    const by = act();
    if ('refused' in (await db.tx((tx) => actUnpin(tx, by)))) throw new CommandError('Закреплённой записи нет.');
    return { json: { pinned: false }, text: 'Запись откреплена.' };
  },
};
