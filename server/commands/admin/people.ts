import { type By, recordAct } from '../../features/moderation/journal.ts';
import { actBlock, actUnblock } from '../../features/moderation/block-acts.ts';
import { closeAllSessionsOf } from '../../features/sessions/store.ts';
import type { Command } from './command.ts';
import { findPerson, type Person } from './find.ts';
import { acting, readUntil } from './options.ts';
import { CommandError } from './command-error.ts';
import type { Tx } from '../../db/database.ts';

const target = 'ИМЯ';

/** Finds the person in the transaction of the act. */
const named =
  (name: string | undefined, by: By) =>
  async (tx: Tx): Promise<{ person: Person; by: By }> => ({ person: await findPerson(tx, name, by.at), by });

export const block: Command = {
  name: 'block',
  target,
  options: ['remove-posts', 'until', ...acting],
  summary: 'заблокировать: ни войти, ни писать; человек видит причину. Прерванное --remove-posts можно повторить',
  async run({ db, target: name, options, act }) {
    const removePosts = options['remove-posts'] ?? false;
    const { person, outcome, posts } = await actBlock(db, named(name, act()), {
      removePosts,
      until: readUntil(options),
    });
    const { username, heading } = person!;
    if ('refused' in outcome && outcome.refused === 'past') throw new CommandError('--until: это время уже прошло.');
    if ('refused' in outcome && posts === 0) throw new CommandError(`${username} уже в блокировке.`);
    return {
      json: { user: username, blocked: true, removed_posts: posts },
      text: `${heading}Учётная запись ${username} заблокирована. Убрано записей: ${posts}.`,
    };
  },
};

export const unblock: Command = {
  name: 'unblock',
  target,
  options: ['restore-posts', ...acting],
  summary: 'снять блокировку; человек входит заново. Прерванное --restore-posts можно повторить',
  async run({ db, target: name, options, act }) {
    const restorePosts = options['restore-posts'] ?? false;
    const { person, outcome, posts } = await actUnblock(db, named(name, act()), { restorePosts });
    const { username, heading } = person!;
    if ('refused' in outcome && posts === 0) throw new CommandError(`${username} не в блокировке.`);
    return {
      json: { user: username, blocked: false, restored_posts: posts },
      text: `${heading}Блокировка снята: ${username}. Возвращено записей: ${posts}.`,
    };
  },
};

export const closeSessions: Command = {
  name: 'close-sessions',
  target,
  options: acting,
  summary: 'завершить все сеансы и токены человека: на каждом устройстве он входит заново',
  async run({ db, target: name, act }) {
    const by = act();
    const { username, heading, closed } = await db.tx(async (tx) => {
      const person = await findPerson(tx, name, by.at);
      const ended = await closeAllSessionsOf(tx, person.id);
      const details = { user: person.id, ...ended };
      await recordAct(tx, by, { action: 'close-sessions', target: person.username, targetId: person.id, details });
      return { ...person, closed: ended };
    });
    return {
      json: { user: username, closed_sessions: closed.sessions, ended_tokens: closed.tokens },
      text: `${heading}${username}: завершено сеансов: ${closed.sessions}${closed.tokens > 0 ? `, токенов: ${closed.tokens}` : ''}.`,
    };
  },
};
