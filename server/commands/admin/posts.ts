import type { Tx } from '../../db/database.ts';
import { type By, isRefused, type Outcome as ActOutcome } from '../../features/moderation/journal.ts';
import { actDismiss, actRemove, actRestore } from '../../features/moderation/post-acts.ts';
import type { Command, Outcome } from './command.ts';
import { postIdOf } from './find.ts';
import { acting } from './options.ts';
import { Refusal } from './refusal.ts';

/** A command that changes one post. `refusal` explains why nothing was done. */
function changePost<Done extends object>(
  name: string,
  summary: string,
  act: (tx: Tx, id: number, by: By) => Promise<ActOutcome<Done>>,
  told: (id: number, done: Done) => Outcome,
  refusal: (id: number, obstacle: string) => string,
): Command {
  return {
    name,
    target: 'ЗАПИСЬ',
    options: acting,
    summary,
    async run({ db, target, act: by }) {
      const id = postIdOf(target);
      const who = by();
      const outcome = await db.tx((tx) => act(tx, id, who));
      if (isRefused(outcome)) throw new Refusal(refusal(id, outcome.obstacle));
      const { json, text } = told(id, outcome);
      return { json: { post: String(id), ...json }, text };
    },
  };
}

export const remove = changePost(
  'remove',
  'скрыть запись: для всех она удалена, автор видит причину; жалобы на неё закрываются',
  actRemove,
  (id, { settled }) => ({
    json: { removed: true, settled_reports: settled },
    text: `Запись ${id} скрыта. Закрыто жалоб: ${settled}.`,
  }),
  (id, obstacle) => (obstacle === 'already' ? `Запись ${id} уже скрыта.` : `Записи ${id} нет.`),
);

export const restore = changePost(
  'restore',
  'вернуть скрытую запись на прежнее место, с отметками «Нравится» и ответами',
  actRestore,
  (id) => ({ json: { removed: false }, text: `Запись ${id} снова на стене.` }),
  (id, obstacle) =>
    obstacle === 'author gone' ? `Запись ${id} не вернуть: её автор удалил учётную запись.` : `Запись ${id} не скрыта.`,
);

export const dismiss = changePost(
  'dismiss',
  'закрыть жалобы на запись, ничего с ней не делая',
  actDismiss,
  (_id, { settled }) => ({ json: { settled_reports: settled }, text: `Закрыто жалоб: ${settled}.` }),
  (id) => `Открытых жалоб на запись ${id} нет.`,
);
