import type { Tx } from '../../db/database.ts';
import { removePost, restoreRemoved } from '../../features/moderation/removal.ts';
import { isRemoved } from '../../features/posts/removed-posts.ts';
import { recordAction } from '../../features/moderation/store.ts';
import { lockPost } from '../../features/posts/writes.ts';
import { settleReports } from '../../features/reports/store.ts';
import type { Act, Command, Outcome } from './command.ts';
import { postIdOf } from './find.ts';
import { acting } from './options.ts';
import { Refusal } from './refusal.ts';

/** A command that changes one post in a transaction, together with its entry in the operator log. */
function changePost(
  name: string,
  summary: string,
  change: (tx: Tx, id: number, by: Act) => Promise<Outcome & { details?: object }>,
): Command {
  return {
    name,
    target: 'ЗАПИСЬ',
    options: acting,
    summary,
    run({ db, target, act }) {
      const id = postIdOf(target);
      const by = act();
      return db.tx(async (tx) => {
        const { json, text, details } = await change(tx, id, by);
        await recordAction(tx, { ...by, action: name, target: String(id), ...(details && { details }) });
        return { json: { post: String(id), ...json }, text };
      });
    },
  };
}

export const remove = changePost(
  'remove',
  'скрыть запись: для всех она удалена, автор видит причину; жалобы на неё закрываются',
  async (tx, id, { at, reason }) => {
    const post = await lockPost(tx, id);
    if (!post) throw new Refusal((await isRemoved(tx.db, id)) ? `Запись ${id} уже скрыта.` : `Записи ${id} нет.`);
    await removePost(tx, post, { now: at, reason, withBlock: false });
    const details = { settled_reports: await settleReports(tx, id, at) };
    const text = `Запись ${id} скрыта. Закрыто жалоб: ${details.settled_reports}.`;
    return { json: { removed: true, ...details }, text, details };
  },
);

const notRestored = {
  'not removed': (id: number) => `Запись ${id} не скрыта.`,
  'author gone': (id: number) => `Запись ${id} не вернуть: её автор удалил учётную запись.`,
};

export const restore = changePost(
  'restore',
  'вернуть скрытую запись на прежнее место, с отметками «Нравится» и ответами',
  async (tx, id, { at }) => {
    const outcome = await restoreRemoved(tx, id, at);
    if (outcome !== 'restored') throw new Refusal(notRestored[outcome](id));
    return { json: { removed: false }, text: `Запись ${id} снова на стене.` };
  },
);

export const dismiss = changePost(
  'dismiss',
  'закрыть жалобы на запись, ничего с ней не делая',
  async (tx, id, { at }) => {
    const details = { settled_reports: await settleReports(tx, id, at) };
    if (details.settled_reports === 0) throw new Refusal(`Открытых жалоб на запись ${id} нет.`);
    return { json: details, text: `Закрыто жалоб: ${details.settled_reports}.`, details };
  },
);
