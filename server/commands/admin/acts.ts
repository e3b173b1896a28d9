import { normalizeEmail } from '#contract/email.ts';
import { addEmailChange, isEmailTaken, refusalSeconds } from '../../features/account/email-changes.ts';
import { type Performed, perform } from '../../features/moderation/desk/perform.ts';
import { type Given, recordAct } from '../../features/moderation/journal.ts';
import { lockAccount } from '../../features/sessions/session-store.ts';
import { queueNotice } from '../../mail/outbox.ts';
import type { Command } from './command.ts';
import { findPerson } from './find.ts';
import { acting, type OptionName, type Options, readUntil } from './options.ts';
import { CommandError, toLine } from './terminal.ts';

/**
 * Changes the address of a person who has lost access to the mailbox. The owner of the old address is notified and can refuse the
 * change before it takes effect.
 */
export const changeEmail: Command = {
  name: 'change-email',
  target: 'ИМЯ АДРЕС',
  options: acting,
  summary: 'сменить адрес тому, кто потерял почту: через 48 часов, если владелец прежнего адреса не откажется',
  async run({ db, target: name, value, act, secrets }) {
    const by = act();
    const email = normalizeEmail(value ?? '');
    if (email === undefined) throw new CommandError(`Это не адрес почты: ${toLine(value ?? '')}.`);
    const effectiveAt = by.at + refusalSeconds;
    const { username, heading } = await db.tx(async (tx) => {
      const person = await findPerson(tx, name, by.at);
      const before = await lockAccount(tx, person.id);
      if (await isEmailTaken(tx.db, { email, userId: person.id, now: by.at })) {
        throw new CommandError('Этот адрес уже занят.');
      }
      const undo = await addEmailChange(tx, { userId: person.id, email: before, newEmail: email, now: by.at });
      const notice = { kind: 'email-change-asked', email, undo, effectiveAt, at: by.at } as const;
      await queueNotice(tx, { recipient: before, sealed: (await secrets()).seal(JSON.stringify(notice)), now: by.at });
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

/** The result of an act, in words and as JSON. `{name}` is the person; `{removed_posts}` and the like are counts of the act. */
interface Words {
  json: object;
  done: string;
  /** The text for each refusal of the act. `already` is the text for refusals that have none of their own. */
  refused: { readonly already: string; readonly [refusal: string]: string };
}

interface ActCommand extends Words {
  summary: string;
  options?: readonly OptionName[];
}

const asOwner: Words = {
  json: { owner: true },
  done: '{name} теперь владелец стены.',
  refused: { already: '{name} уже владелец стены.' },
};

/** The acts on people that a command carries out. Act and command have the same name. */
const onPeople: Partial<Record<Performed, ActCommand>> = {
  appoint: {
    summary: 'назначить модератором: в настройках у человека появляется «Модерация»',
    options: ['owner'],
    json: { moderator: true },
    done: '{name} теперь модератор.',
    refused: { already: '{name} уже модератор.' },
  },
  'dismiss-moderator': {
    summary: 'снять с модераторов или владельцев: следующее же действие человека будет отклонено',
    json: { moderator: false },
    done: '{name} больше не модератор.',
    refused: {
      already: '{name} не модератор.',
      'last owner': '{name} — последний владелец стены. Сначала назначьте другого: appoint ИМЯ --owner.',
    },
  },
  block: {
    summary: 'заблокировать: ни войти, ни писать; человек видит причину. Прерванное --remove-posts можно повторить',
    options: ['remove-posts', 'until'],
    json: { blocked: true },
    done: 'Учётная запись {name} заблокирована. Убрано записей: {removed_posts}.',
    refused: { already: '{name} уже в блокировке.', past: '--until: это время уже прошло.' },
  },
  unblock: {
    summary: 'снять блокировку; человек входит заново. Прерванное --restore-posts можно повторить',
    options: ['restore-posts'],
    json: { blocked: false },
    done: 'Блокировка снята: {name}. Возвращено записей: {restored_posts}.',
    refused: { already: '{name} не в блокировке.' },
  },
  'close-sessions': {
    summary: 'завершить все сеансы и токены человека: на каждом устройстве он входит заново',
    json: {},
    done: '{name}: завершено сеансов: {closed_sessions}, токенов: {ended_tokens}.',
    refused: { already: 'Сеансов нет.' },
  },
  'forget-imported': {
    summary: 'удалить перенесённые записи человека, который ещё не заходил и просит об этом; вернуть их нельзя',
    json: { forgotten: true },
    done: 'Записи и ответы {name} больше не видны никому и удаляются.',
    refused: { already: '{name} уже заходил(а): такие учётные записи удаляет сам человек.' },
  },
};

export const actCommands = Object.entries(onPeople).map(
  ([name, { summary, options: own = [], ...plain }]): Command => ({
    name,
    target: 'ИМЯ',
    options: [...own, ...acting],
    summary,
    async run({ db, target, options, act }) {
      const by = act();
      const given = givenBy(options);
      let heading = '';
      let username = '';
      const { outcome, counts } = await perform(db, async (tx) => {
        const person = await findPerson(tx, target, by.at);
        ({ heading, username } = person);
        return { act: name as Performed, id: person.id, by, given };
      });
      const { json, done, refused } = options.owner ? asOwner : plain;
      const values: Record<string, unknown> = { ...counts, name: username };
      const say = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
      // A repeated act is refused as done already, but it may have continued with posts that were left after an interruption.
      const hasContinued = Object.values(counts).some((count) => count > 0);
      if ('refused' in outcome && !hasContinued)
        throw new CommandError(say(refused[outcome.refused] ?? refused.already));
      return { json: { user: username, ...json, ...counts }, text: heading + say(done) };
    },
  }),
);

const givenBy = (options: Options): Given => ({
  removePosts: options['remove-posts'],
  restorePosts: options['restore-posts'],
  owner: options.owner,
  until: readUntil(options),
});
