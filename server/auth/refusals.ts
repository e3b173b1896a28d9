import { blockedAtSignIn } from '#contract/errors.ts';
import { ApiError } from '../http/api-error.ts';
import { blockMessage } from '../sessions/rules.ts';

const unfitInvite = 'Код приглашения не подошёл. Проверьте его или попросите новый.';

/** To whoever came without an invitation, or with one that is not good any more. */
export const registrationClosed = (invite: string | null | undefined): ApiError =>
  new ApiError('REGISTRATION_CLOSED', invite ? { message: unfitInvite } : {});

export const accountBlocked = (reason: string): ApiError =>
  new ApiError('ACCOUNT_BLOCKED', { message: blockMessage(reason), status: blockedAtSignIn });
