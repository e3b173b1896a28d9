import { Type } from 'typebox';
import { call, type TypesOf, verifyCodes } from './call.ts';
import { blockedAtSignIn } from './errors.ts';
import * as values from './example-values.ts';
import { clientToken, confirmCode, email, idParams, named, object, operation, tokenReply } from './schemas.ts';
import { device } from './sessions.ts';

const start = named('Login', { email, clientToken, device });
/** An invitation code. The server ignores its case, white space and dashes. */
const invite = Type.String({ minLength: 1, maxLength: 64 });
/** The hash of the text of consent to which the person has agreed. */
const consent = Type.String({ pattern: '^[0-9a-f]{64}$' });
const confirm = named('Confirmation', { confirmCode, clientToken });

const mailStates = ['sending', 'accepted', 'delayed', 'refused'] as const;

/** The state of a mail with a code, and on a wall without mail whom to ask for the code. */
export type MailOfCode = TypesOf<typeof signInCalls>['GET /mail/{id}']['reply'];
export type MailState = MailOfCode['state'];

const codes = [...verifyCodes, 'ACCOUNT_BLOCKED'] as const;
const statuses = { ACCOUNT_BLOCKED: blockedAtSignIn };

export const signInCalls = {
  'POST /logins': call({
    name: 'startLogin',
    says: 'Начать вход: код уходит на почту',
    access: 'public',
    status: 201,
    codes: ['USER_NOT_FOUND'],
    body: start,
    reply: operation,
    example: {
      body: { email: values.email, clientToken: values.clientToken, device: values.device },
      reply: values.operation,
    },
  }),
  'POST /logins/{id}/verify': call({
    name: 'verifyLogin',
    says: 'Войти с кодом',
    access: 'public',
    codes,
    statuses,
    setsCookie: true,
    params: idParams,
    body: confirm,
    reply: tokenReply,
    example: { params: values.operation, body: values.confirm, reply: values.tokens },
  }),
  'POST /registrations': call({
    name: 'startRegistration',
    says: 'Начать регистрацию: код уходит на почту',
    access: 'public',
    status: 201,
    codes: ['REGISTRATION_CLOSED'],
    body: named('Registration', {
      ...start.properties,
      invite: Type.Optional(invite),
      consent: Type.Optional(consent),
    }),
    reply: operation,
    example: {
      body: { email: values.email, clientToken: values.clientToken, device: values.device },
      reply: values.operation,
    },
  }),
  'POST /registrations/{id}/verify': call({
    name: 'verifyRegistration',
    says: 'Зарегистрироваться с кодом',
    access: 'public',
    codes: [...codes, 'EMAIL_ALREADY_EXISTS', 'REGISTRATION_CLOSED'],
    statuses,
    setsCookie: true,
    params: idParams,
    body: confirm,
    reply: tokenReply,
    example: { params: values.operation, body: values.confirm, reply: values.tokens },
  }),
  /** Whether the mail with the code has been sent. */
  'GET /mail/{id}': call({
    name: 'getMailState',
    says: 'Что стало с письмом с кодом',
    access: 'public',
    codes: ['NOT_FOUND'],
    params: idParams,
    query: Type.Object({ clientToken }),
    reply: object({
      state: Type.Enum(mailStates),
      ask: Type.Optional(
        Type.String({ description: 'Имя владельца стены без почты: он покажет код новому человеку.' }),
      ),
    }),
    example: { params: values.operation, query: { clientToken: values.clientToken }, reply: { state: 'accepted' } },
  }),
};
