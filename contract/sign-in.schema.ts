import { Type } from 'typebox';
import { clientToken, confirmCode, email, idParams, named, object, operation, tokenReply } from './common.schema.ts';
import { device } from './sessions.schema.ts';

const start = named('Login', { email, clientToken, device });
/** An invitation code, in any spelling: the server normalizes it. */
const invite = Type.String({ minLength: 1, maxLength: 64 });
/** The hash of the consent to the processing of personal data that the person has agreed to. */
const consent = Type.String({ pattern: '^[0-9a-f]{64}$' });
const confirm = named('Confirmation', { confirmCode, clientToken });

export const startLogin = { body: start, reply: operation };
export const verifyLogin = { params: idParams, body: confirm, reply: tokenReply };
export const startRegistration = {
  body: named('Registration', { ...start.properties, invite: Type.Optional(invite), consent: Type.Optional(consent) }),
  reply: operation,
};
export const verifyRegistration = { params: idParams, body: confirm, reply: tokenReply };

export const mailStates = ['sending', 'accepted', 'delayed', 'refused'] as const;

export const getMailState = {
  params: idParams,
  query: Type.Object({ clientToken }),
  reply: object({ state: Type.Enum(mailStates) }),
};
