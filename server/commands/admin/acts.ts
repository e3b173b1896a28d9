import { normalizeEmail } from '#contract/email.ts';
import { type CarriedOut, keeperActs } from '#contract/keeper-acts.ts';
import type { Tx } from '../../db/database.ts';
import { addEmailChange, isEmailTaken, refusalSeconds } from '../../features/account/email-changes.ts';
import { perform } from '../../features/moderation/desk/perform.ts';
import { type Given, recordAct } from '../../features/moderation/journal.ts';
import { lockAccount } from '../../features/sessions/session-store.ts';
import { queueNotice } from '../../mail/outbox.ts';
import type { Command } from './command.ts';
import { findPerson, postIdOf } from './find.ts';
import { acting, type Options, readUntil } from './options.ts';
import { CommandError, line, localTime } from './terminal.ts';

/**
 * For a person who has lost access to their mailbox. The old address is notified and can reject the change before it
 * takes effect.
 */
export const changeEmail: Command = {
  name: 'change-email',
  target: 'ИМЯ АДРЕС',
  options: acting,
  summary: 'сменить адрес тому, кто потерял почту: через 48 часов, если владелец прежнего адреса не откажется',
  async run({ db, target: name, value, act, seal }) {
    const by = act();
    const email = normalizeEmail(value ?? '');
    if (email === undefined) throw new CommandError(`Это не адрес почты: ${line(value ?? '')}.`);
    const effectiveAt = by.at + refusalSeconds;
    const { username, heading } = await db.tx(async (tx) => {
      const person = await findPerson(tx, name, by.at);
      const before = await lockAccount(tx, person.id);
      if (await isEmailTaken(tx.db, { email, userId: person.id, now: by.at })) {
        throw new CommandError('Этот адрес уже занят.');
      }
      const undo = await addEmailChange(tx, { userId: person.id, email: before, newEmail: email, now: by.at });
      const notice = { kind: 'email-change-asked', email, undo, effectiveAt, at: by.at } as const;
      await queueNotice(tx, { recipient: before, sealed: await seal(notice), now: by.at });
      const details = { user: person.id, effective_at: effectiveAt };
      await recordAct(tx, by, { action: 'change-email', target: person.username, targetId: person.id, details });
      return person;
    });
    return {
      json: { user: username, effective_at: effectiveAt },
      text: `${heading}${username}: адрес изменится через 48 часов, если владелец прежнего не откажется. Ему отправлено письмо. Тогда все сеансы завершатся, и войти можно будет с новым адресом.`,
    };
  },
};

interface Subject {
  id: number;
  /** For the words about the act. */
  values: Record<string, string>;
  json: object;
  heading?: string;
}

const names = (Object.keys(keeperActs) as CarriedOut[]).filter((name) => keeperActs[name].command?.help !== undefined);

/** Each carries out an act and says what the table of acts says. */
export const actCommands: readonly Command[] = names.map((name): Command => {
  const { target: kind, command } = keeperActs[name];
  const { help, options: own = [] } = command!;
  const isOnPerson = kind === 'person';
  const target = isOnPerson ? 'ИМЯ' : 'ЗАПИСЬ';
  return {
    name,
    ...(name !== 'unpin' && { target }),
    options: [...own, ...acting],
    summary: help!,
    async run({ db, target: named, options, act }) {
      const by = act();
      const given = givenBy(options);
      let subject: Subject = { id: 0, values: {}, json: {} };
      const find = async (tx: Tx) => {
        if (isOnPerson) subject = await personOf(tx, named, by.at);
        else if (name !== 'unpin') subject = postOf(named);
        return { act: name, id: subject.id, by, given };
      };
      const { outcome, counts } = await perform(db, find);
      const { json, done, refused } = keeperActs[given.owner ? 'appoint-owner' : name].command!;
      const values: Record<string, unknown> = {
        ...subject.values,
        ...counts,
        until: typeof given.until === 'number' ? ` до ${localTime(given.until)}` : '',
      };
      const say = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
      // Started again after an interruption, it has continued.
      const hasContinued = Object.values(counts).some((count) => count > 0);
      if ('refused' in outcome && !hasContinued)
        throw new CommandError(say(refused[outcome.refused] ?? refused.already));
      return {
        json: { ...subject.json, ...json, ...counts, ...(name === 'pin' && { until: given.until }) },
        text: (subject.heading ?? '') + say(done),
      };
    },
  };
});

const givenBy = (options: Options): Given => ({
  removePosts: options['remove-posts'],
  restorePosts: options['restore-posts'],
  owner: options.owner,
  until: readUntil(options),
});

function postOf(target: string | undefined): Subject {
  const id = postIdOf(target);
  return { id, values: { id: String(id) }, json: { post: String(id) } };
}

async function personOf(tx: Tx, target: string | undefined, now: number): Promise<Subject> {
  const { id, username, heading } = await findPerson(tx, target, now);
  return { id, values: { name: username }, json: { user: username }, heading };
}
