import { removePost, restorePost } from '../../features/moderation/removal.ts';
import { isRemoved } from '../../features/posts/removed-posts.ts';
import { recordAction } from '../../features/moderation/store.ts';
import { lockPost } from '../../features/posts/writes.ts';
import { settleReports } from '../../features/reports/store.ts';
import type { Command } from './command.ts';
import { postIdOf } from './find.ts';
import { acting } from './options.ts';
import { Refusal } from './refusal.ts';

const target = 'ЗАПИСЬ';

export const remove: Command = {
  name: 'remove',
  target,
  options: acting,
  summary: 'скрыть запись: для всех она удалена, автор видит причину; жалобы на неё закрываются',
  async run({ db, target: given, act }) {
    const id = postIdOf(given);
    const by = act();
    const settled = await db.tx(async (tx) => {
      const post = await lockPost(tx, id);
      if (!post) throw new Refusal((await isRemoved(tx.db, id)) ? `Запись ${id} уже скрыта.` : `Записи ${id} нет.`);
      await removePost(tx, post, { now: by.at, reason: by.reason, withBlock: false });
      const reports = await settleReports(tx, id, by.at);
      await recordAction(tx, { ...by, action: 'remove', target: String(id), details: { settled_reports: reports } });
      return reports;
    });
    return {
      json: { post: String(id), removed: true, settled_reports: settled },
      text: `Запись ${id} скрыта. Закрыто жалоб: ${settled}.`,
    };
  },
};

const notRestored = {
  'not removed': (id: number) => `Запись ${id} не скрыта.`,
  'author gone': (id: number) => `Запись ${id} не вернуть: её автор удалил учётную запись.`,
};

export const restore: Command = {
  name: 'restore',
  target,
  options: acting,
  summary: 'вернуть скрытую запись на прежнее место, с отметками «Нравится» и ответами',
  async run({ db, target: given, act }) {
    const id = postIdOf(given);
    const by = act();
    await db.tx(async (tx) => {
      const outcome = await restorePost(tx, id, by.at);
      if (outcome !== 'restored') throw new Refusal(notRestored[outcome](id));
      await recordAction(tx, { ...by, action: 'restore', target: String(id) });
    });
    return { json: { post: String(id), removed: false }, text: `Запись ${id} снова на стене.` };
  },
};

export const dismiss: Command = {
  name: 'dismiss',
  target,
  options: acting,
  summary: 'закрыть жалобы на запись, ничего с ней не делая',
  async run({ db, target: given, act }) {
    const id = postIdOf(given);
    const by = act();
    const settled = await db.tx(async (tx) => {
      const reports = await settleReports(tx, id, by.at);
      if (reports === 0) throw new Refusal(`Открытых жалоб на запись ${id} нет.`);
      await recordAction(tx, { ...by, action: 'dismiss', target: String(id), details: { settled_reports: reports } });
      return reports;
    });
    return { json: { post: String(id), settled_reports: settled }, text: `Закрыто жалоб: ${settled}.` };
  },
};
