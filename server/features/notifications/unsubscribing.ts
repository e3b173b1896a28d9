import type { UnsubscribeOutcome } from '#contract/addresses.ts';
import type { Secrets } from '../../secrets.ts';

const day = 24 * 3_600;
const validSeconds = 365 * day;

const form = /^(\d{1,15})\.(\d{1,11})\.([\w-]{43})$/;
const signed = (userId: string, at: string): string => `unsubscribe ${userId} ${at}`;

/** The token of a link that ends a person's letters. It gives no other access, so it is valid for a year and any number of times. */
export function unsubscribeToken(secrets: Secrets, userId: number, now: number): string {
  return `${userId}.${now}.${secrets.signLink(signed(String(userId), String(now)))}`;
}

export function readUnsubscribeToken(
  secrets: Secrets,
  token: string,
  now: number,
): { userId: number } | Exclude<UnsubscribeOutcome, 'done'> {
  const [, userId = '', at = '', signature = ''] = form.exec(token) ?? [];
  if (signature === '' || !secrets.isSignatureOfLink(signature, signed(userId, at))) return 'unknown';
  return Number(at) + validSeconds < now ? 'expired' : { userId: Number(userId) };
}
