import { blockedAtSignIn } from '#contract/errors.ts';
import { ApiError } from '../http/api-error.ts';
import { blockMessage } from '../sessions/rules.ts';

const unfitInvite = 'Код приглашения не подошёл. Проверьте его или попросите новый.';

/** To whoever came without an invitation, or with one that is not good any more. */
export const registrationClosed = (invite: string | null | undefined): ApiError =>
  new ApiError('REGISTRATION_CLOSED', invite ? { message: unfitInvite } : {});

const reserved =
  'Адрес вашей учётной записи недавно изменили. Если это сделали не вы, верните его по ссылке из нашего письма об этом.';

/** After the right code only: whoever has it reads the mail of this address. */
export const addressReserved = (): ApiError => new ApiError('EMAIL_ALREADY_EXISTS', { message: reserved });

export const accountBlocked = (reason: string): ApiError =>
  new ApiError('ACCOUNT_BLOCKED', { message: blockMessage(reason), status: blockedAtSignIn });
