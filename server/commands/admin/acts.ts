import { type ActName, acts } from '#contract/moderation-acts.ts';
import type { Tx } from '../../db/database.ts';
import type { By, Outcome } from '../../features/moderation/journal.ts';
import { postActs } from '../../features/moderation/post-acts.ts';
import { actForgetImported } from '../../features/account/forget-imported.ts';
import { actAppointModerator, actAppointOwner, actDismissModerator } from '../../features/moderation/roles.ts';
import type { Command } from './command.ts';
import { findPerson, postIdOf } from './find.ts';
import { acting } from './options.ts';
import { CommandError } from './command-error.ts';

interface Done {
  outcome: Outcome<{ settled?: number }>;
  /** For the words about it. */
  values: Record<string, string>;
  json: object;
  heading?: string;
}

/** A command that carries out an act and says what the table of acts says. */
function commandOf(
  name: ActName,
  target: string,
  carryOut: (tx: Tx, target: string | undefined, by: By, isForOwner: boolean) => Promise<Done>,
): Command {
  const options = name === 'appoint' ? (['owner', ...acting] as const) : acting;
  return {
    name,
    target,
    options,
    summary: acts[name].command!.help,
    async run({ db, target: given, options: { owner: isForOwner = false }, act }) {
      const by = act();
      const words = acts[isForOwner ? 'appoint-owner' : name].command!;
      const { outcome, values, json, heading = '' } = await db.tx((tx) => carryOut(tx, given, by, isForOwner));
      const say = (text: string, all = values) => text.replaceAll(/\{(\w+)\}/g, (_, key: string) => all[key]!);
      if ('refused' in outcome) throw new CommandError(say(words.refused[outcome.refused] ?? words.refused.already));
      const { settled } = outcome;
      return {
        json: { ...json, ...words.json, ...(settled !== undefined && { settled_reports: settled }) },
        text: heading + say(words.done, { ...values, settled: String(settled) }),
      };
    },
  };
}

const namesOf = <Name extends ActName>(carriers: Record<Name, unknown>) => Object.keys(carriers) as Name[];

export const postCommands: readonly Command[] = namesOf(postActs).map((name) =>
  commandOf(name, 'ЗАПИСЬ', async (tx, target, by) => {
    const id = postIdOf(target);
    return {
      outcome: await postActs[name].carryOut(tx, id, by),
      values: { id: String(id) },
      json: { post: String(id) },
    };
  }),
);

const personActs = {
  appoint: actAppointModerator,
  'dismiss-moderator': actDismissModerator,
  'forget-imported': actForgetImported,
};

export const personCommands: readonly Command[] = namesOf(personActs).map((name) =>
  commandOf(name, 'ИМЯ', async (tx, target, by, isForOwner) => {
    const person = await findPerson(tx, target, by.at);
    const { username, heading } = person;
    return {
      outcome: await (isForOwner ? actAppointOwner : personActs[name])(tx, person.id, by),
      values: { name: username },
      json: { user: username },
      heading,
    };
  }),
);
