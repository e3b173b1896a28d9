import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../secrets.ts';

export const idleSeconds = 90 * 24 * 3_600;
export const sessionsPerUser = 20;

export const newCookie = (): string => randomBytes(32).toString('base64url');
/** What is stored of a cookie: 256 random bits need no slow hash. */
export const cookieHash = (cookie: string): string => hash('sha256', cookie, 'base64url');

export interface AccessToken {
  token: string;
  expiresAt: number;
}

/** The token names its session and its end, signed. Whether the session is still open is asked at every request. */
export function issueToken(secrets: Secrets, sessionId: number, expiresAt: number): AccessToken {
  const claim = `${sessionId}.${expiresAt}`;
  return { token: `${claim}.${secrets.signToken(claim)}`, expiresAt };
}

/** The session a token speaks for; undefined for a forged or outlived one. */
export function readToken(secrets: Secrets, token: string, now: number): number | undefined {
  const parts = /^([1-9][0-9]{0,14})\.([0-9]{1,12})\.([\w-]{43})$/.exec(token);
  if (!parts) return undefined;
  const [, sessionId, expiresAt, signature] = parts;
  const expected = secrets.signToken(`${sessionId}.${expiresAt}`);
  if (!timingSafeEqual(Buffer.from(signature!), Buffer.from(expected))) return undefined;
  return Number(expiresAt) > now ? Number(sessionId) : undefined;
}
