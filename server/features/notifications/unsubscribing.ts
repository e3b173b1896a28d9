import type { UnsubscribeOutcome } from '#contract/addresses.ts';
import type { Secrets } from '../../secrets.ts';

const day = 24 * 3_600;
const validSeconds = 365 * day;

const form = /^(\d{1,15})\.(\d{1,11})\.([\w-]{43})$/;

interface Subscriber {
  id: number;
  /** The signature covers the address: a link in a letter to a former address is worth nothing. */
  email: string;
}

const signed = ({ id, email }: Subscriber, at: number): string => `unsubscribe ${id} ${email} ${at}`;

/** The token of a link that ends a person's letters. It gives no other access, so it is valid for a year and any number of times. */
export function unsubscribeToken(secrets: Secrets, subscriber: Subscriber, now: number): string {
  return `${subscriber.id}.${now}.${secrets.sign('mailed link', signed(subscriber, now))}`;
}

interface UnsubscribeToken {
  userId: number;
  /** Unix seconds. */
  at: number;
  signature: string;
}

export function readUnsubscribeToken(token: string): UnsubscribeToken | undefined {
  const [, userId, at, signature] = form.exec(token) ?? [];
  return signature === undefined ? undefined : { userId: Number(userId), at: Number(at), signature };
}

/** The effect of a token on the person it names, who has this address now. */
export function judgeUnsubscribeToken(
  secrets: Secrets,
  { userId: id, at, signature }: UnsubscribeToken,
  email: string,
  now: number,
): UnsubscribeOutcome {
  if (!secrets.isSignature(signature, 'mailed link', signed({ id, email }, at))) return 'unknown';
  return at + validSeconds < now ? 'expired' : 'done';
}
