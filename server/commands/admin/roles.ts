import type { Tx } from '../../db/database.ts';
import { type By, isRefused, type Outcome as ActOutcome } from '../../features/moderation/journal.ts';
import { actAppoint, actDismissModerator } from '../../features/moderation/roles.ts';
import type { Command } from './command.ts';
import { findPerson, type Person } from './find.ts';
import { acting } from './options.ts';
import { Refusal } from './refusal.ts';

function changeRole(
  name: string,
  summary: string,
  act: (tx: Tx, person: Person, by: By) => Promise<ActOutcome>,
  { isModerator, already, done }: { isModerator: boolean; already: string; done: string },
): Command {
  return {
    name,
    target: 'ИМЯ',
    options: acting,
    summary,
    async run({ db, target, act: by }) {
      const who = by();
      return db.tx(async (tx) => {
        const person = await findPerson(tx, target, who.at);
        const { username, heading } = person;
        if (isRefused(await act(tx, person, who))) throw new Refusal(`${username} ${already}.`);
        return { json: { user: username, moderator: isModerator }, text: `${heading}${username} ${done}.` };
      });
    },
  };
}

export const appoint = changeRole(
  'appoint',
  'назначить модератором: в настройках у человека появляется «Модерация»',
  actAppoint,
  { isModerator: true, already: 'уже модератор', done: 'теперь модератор' },
);

export const dismissModerator = changeRole(
  'dismiss-moderator',
  'снять с модераторов: следующее же действие человека будет отклонено',
  actDismissModerator,
  { isModerator: false, already: 'не модератор', done: 'больше не модератор' },
);
