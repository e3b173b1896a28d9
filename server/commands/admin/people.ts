import type { Tx } from '../../db/database.ts';
import { removeAllPostsOf, keepRemoved, restoreAllPostsOf } from '../../features/moderation/removal.ts';
import { blockUser, recordAction, unblockUser } from '../../features/moderation/store.ts';
import { closeAllSessionsOf } from '../../features/sessions/store.ts';
import type { Act, Command } from './command.ts';
import { findPerson, type Person } from './find.ts';
import { acting } from './options.ts';
import { Refusal } from './refusal.ts';

const target = 'ИМЯ';

export const block: Command = {
  name: 'block',
  target,
  options: ['remove-posts', ...acting],
  summary: 'заблокировать: ни войти, ни писать; человек видит причину. Прерванное --remove-posts можно повторить',
  async run({ db, target: name, options, act }) {
    const by = act();
    const { person, isNew } = await db.tx(async (tx) => {
      const found = await findPerson(tx, name, by.at);
      const blocked = await blockUser(tx, found.id, by.reason, by.at);
      if (blocked) await record(tx, by, 'block', found, { remove_posts: options['remove-posts'] ?? false });
      return { person: found, isNew: blocked };
    });
    const { id: userId, username } = person;
    const removed = options['remove-posts']
      ? await removeAllPostsOf(db, { userId, reason: by.reason, now: by.at }, (tx, posts) =>
          record(tx, by, 'remove-posts', person, { posts }),
        )
      : 0;
    if (!isNew && removed === 0) throw new Refusal(`${username} уже в блокировке.`);
    return {
      json: { user: username, blocked: true, removed_posts: removed },
      text: `${person.heading}Учётная запись ${username} заблокирована. Скрыто записей: ${removed}.`,
    };
  },
};

export const unblock: Command = {
  name: 'unblock',
  target,
  options: ['restore-posts', ...acting],
  summary: 'снять блокировку; человек входит заново. Прерванное --restore-posts можно повторить',
  async run({ db, target: name, options, act }) {
    const by = act();
    const wantsPosts = options['restore-posts'] ?? false;
    const { person, wasBlocked } = await db.tx(async (tx) => {
      const found = await findPerson(tx, name, by.at);
      const unblocked = await unblockUser(tx, found.id);
      if (unblocked && !wantsPosts) await keepRemoved(tx, found.id);
      if (unblocked) await record(tx, by, 'unblock', found, { restore_posts: wantsPosts });
      return { person: found, wasBlocked: unblocked };
    });
    const { id: userId, username } = person;
    const restored = wantsPosts
      ? await restoreAllPostsOf(db, { userId, now: by.at }, (tx, posts) =>
          record(tx, by, 'restore-posts', person, { posts }),
        )
      : 0;
    if (!wasBlocked && restored === 0) throw new Refusal(`${username} не в блокировке.`);
    return {
      json: { user: username, blocked: false, restored_posts: restored },
      text: `${person.heading}Блокировка снята: ${username}. Возвращено записей: ${restored}.`,
    };
  },
};

export const closeSessions: Command = {
  name: 'close-sessions',
  target,
  options: acting,
  summary: 'завершить все сеансы человека: на каждом устройстве он входит заново',
  async run({ db, target: name, act }) {
    const by = act();
    const { username, heading, closed } = await db.tx(async (tx) => {
      const person = await findPerson(tx, name, by.at);
      const sessions = await closeAllSessionsOf(tx, person.id);
      await record(tx, by, 'close-sessions', person, { sessions });
      return { ...person, closed: sessions };
    });
    return {
      json: { user: username, closed_sessions: closed },
      text: `${heading}${username}: завершено сеансов: ${closed}.`,
    };
  },
};

/** Records the id as well, because names change. */
const record = (tx: Tx, by: Act, action: string, { id, username }: Person, details: object): Promise<void> =>
  recordAction(tx, { ...by, action, target: username, details: { user: id, ...details } });
