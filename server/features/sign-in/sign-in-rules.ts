import { randomBytes, randomInt } from 'node:crypto';
import { blockedAtSignIn } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { EmailDomains } from '../../config.ts';
import type { Refusal } from '../../limits/refusal.ts';
import { blockMessage, type StoredBlock } from '../sessions/session-rules.ts';
import type { RegistrationMode } from '../wall-texts/wall-settings.ts';

export type SignInPurpose = 'login' | 'registration';
export type Purpose = SignInPurpose | 'email-change' | 'deletion' | 'moderation' | 'program-token';

export const triesPerOperation = 5;
export const newOperationId = (): string => randomBytes(16).toString('base64url');

export const newCode = (): string => String(randomInt(10 ** limits.codeLength)).padStart(limits.codeLength, '0');

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The generated username of a new account, valid until its owner chooses one. */
export const newUsername = (): string =>
  `user_${Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;

/** How long a change of address can be undone, and how long the address cannot be changed after an undo. */
export const undoSeconds = 72 * 3_600;

/** The refusal of a registration without an invitation, or with an invitation that is unknown, used up or no longer valid. */
export function registrationClosed(mode: RegistrationMode, invite: string | null): Refusal {
  const refused = 'REGISTRATION_CLOSED';
  if (mode === 'closed') return { refused, message: 'Новых учётных записей на этой стене сейчас не заводят.' };
  if (invite !== null) return { refused, message: 'Код приглашения не подошёл. Проверьте его или попросите новый.' };
  if (mode !== 'members') return { refused };
  return { refused, message: 'Нужно приглашение от участника. Введите код, который вам дали.' };
}

/** Returned only after the right code, which proves that the person reads the mail of this address. */
export const addressReserved: Refusal = {
  refused: 'EMAIL_ALREADY_EXISTS',
  message:
    'Адрес вашей учётной записи недавно изменили. Если это сделали не вы, верните его по ссылке из нашего письма об этом.',
};

export const consentMissing = 'Чтобы зарегистрироваться, дайте согласие на обработку персональных данных.';
export const consentChanged =
  'Текст согласия на обработку персональных данных изменился. Прочитайте его и отметьте согласие ещё раз.';

/** Whether an account may have an address at this domain. A listed domain includes its subdomains. */
export function isDomainAllowed(email: string, { kind, domains }: EmailDomains): boolean {
  const labels = email.slice(email.indexOf('@') + 1).split('.');
  const isListed = labels.some((_, first) => domains.includes(labels.slice(first).join('.')));
  return isListed === (kind === 'allow');
}

export const accountBlocked = (block: StoredBlock): Refusal => ({
  refused: 'ACCOUNT_BLOCKED',
  message: blockMessage(block),
  status: blockedAtSignIn,
});
