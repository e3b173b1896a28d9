import type { Static } from 'typebox';
import type * as schema from './sign-in.schema.ts';
import { endpoint, verifyCodes } from './endpoint.ts';
import { blockedAtSignIn } from './errors.ts';

export type MailState = Static<typeof schema.getMailState.reply>['state'];

const codes = [...verifyCodes, 'ACCOUNT_BLOCKED'] as const;
const statuses = { ACCOUNT_BLOCKED: blockedAtSignIn };

export const startLogin = endpoint<typeof schema.startLogin>('POST /logins', 'public', {
  status: 201,
  codes: ['USER_NOT_FOUND'],
});

export const verifyLogin = endpoint<typeof schema.verifyLogin>('POST /logins/{id}/verify', 'public', {
  setsCookie: true,
  codes,
  statuses,
});

export const startRegistration = endpoint<typeof schema.startRegistration>('POST /registrations', 'public', {
  status: 201,
  codes: ['REGISTRATION_CLOSED'],
});

export const verifyRegistration = endpoint<typeof schema.verifyRegistration>(
  'POST /registrations/{id}/verify',
  'public',
  { setsCookie: true, codes: [...codes, 'EMAIL_ALREADY_EXISTS', 'REGISTRATION_CLOSED'], statuses },
);

/** Whether the mail with the code has been sent. */
export const getMailState = endpoint<typeof schema.getMailState>('GET /mail/{id}', 'public', { codes: ['NOT_FOUND'] });
