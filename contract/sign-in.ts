import type { Static } from 'typebox';
import type * as schema from './sign-in.schema.ts';
import { endpoint } from './endpoint.ts';
import { blockedAtSignIn } from './errors.ts';

export type MailState = Static<typeof schema.getMailState.reply>['state'];

const verifyCodes = ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED', 'ACCOUNT_BLOCKED'] as const;
const statuses = { ACCOUNT_BLOCKED: blockedAtSignIn };

export const startLogin = endpoint<typeof schema.startLogin>({
  method: 'POST',
  path: '/logins',
  access: 'public',
  status: 201,
  codes: ['USER_NOT_FOUND'],
});

export const verifyLogin = endpoint<typeof schema.verifyLogin>({
  method: 'POST',
  path: '/logins/{id}/verify',
  access: 'public',
  setsCookie: true,
  codes: verifyCodes,
  statuses,
});

export const startRegistration = endpoint<typeof schema.startRegistration>({
  method: 'POST',
  path: '/registrations',
  access: 'public',
  status: 201,
  codes: ['REGISTRATION_CLOSED'],
});

export const verifyRegistration = endpoint<typeof schema.verifyRegistration>({
  method: 'POST',
  path: '/registrations/{id}/verify',
  access: 'public',
  setsCookie: true,
  codes: [...verifyCodes, 'EMAIL_ALREADY_EXISTS', 'REGISTRATION_CLOSED'],
  statuses,
});

/** Whether the mail with the code has been sent. */
export const getMailState = endpoint<typeof schema.getMailState>({
  method: 'GET',
  path: '/mail/{id}',
  access: 'public',
  codes: ['NOT_FOUND'],
});
