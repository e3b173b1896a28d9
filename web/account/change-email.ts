import { getCurrentUser, startEmailChange, verifyEmailChange } from '#contract/account.ts';
import { normalizeEmail } from '#contract/email.ts';
import type { Operation } from '../auth/operation.ts';
import { ApiError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';

export function beginEmailChange(email: string, clientToken: string): Promise<{ id: string }> {
  return call(startEmailChange, { body: { email, clientToken } });
}

/** Resolves to the address as the wall knows it from now on. */
export async function confirmEmailChange(
  { id, email }: Operation,
  confirmation: { confirmCode: string; clientToken: string },
): Promise<string> {
  try {
    return (await call(verifyEmailChange, { params: { id }, body: confirmation })).email;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'OPERATION_EXPIRED')) throw error;
    // The answer to an earlier try may have been lost on its way: then it is done, and the code is used.
    const user = await call(getCurrentUser, {});
    if (user.email !== normalizeEmail(email)) throw error;
    return user.email;
  }
}
