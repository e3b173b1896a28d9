import { normalizeEmail } from '#contract/email.ts';
import { addEmailChange, isEmailTaken, refusalSeconds } from '../../features/account/email-changes.ts';
import { lockAccount } from '../../features/sessions/store.ts';
import { queueNotice } from '../../mail/outbox.ts';
import { recordAct } from '../../features/moderation/journal.ts';
import type { Command } from './command.ts';
import { findPerson } from './find.ts';
import { acting } from './options.ts';
import { CommandError } from './command-error.ts';
import { line } from './terminal.ts';

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
