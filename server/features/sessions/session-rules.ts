import { hash, randomBytes } from 'node:crypto';
import { errors } from '#contract/errors.ts';
import { moment } from '../../mail/notices.ts';
import type { Secrets } from '../../secrets.ts';

export const idleSeconds = 90 * 24 * 3_600;
/** Maximum lifetime of a session, even if it is in use. */
export const lifetimeSeconds = 365 * 24 * 3_600;
export const sessionsPerUser = 20;

export const newCookie = (): string => randomBytes(32).toString('base64url');
/** The stored form of a cookie. 256 random bits need no slow hash. */
export const cookieHash = (cookie: string): string => hash('sha256', cookie, 'base64url');

/** Identifies the session of a browser to scripts. Not a secret: neither the cookie nor its stored form can be derived from it. */
export const signInFlag = (cookie: string): string => hash('sha256', `signed in with ${cookie}`, 'base64url');

/** A block as it is stored with a person. */
export interface StoredBlock {
  blocked_at: number | null;
  block_reason: string | null;
  /** Null: without end. */
  blocked_until: number | null;
}

/** A block for a term ends by itself, at that second, whether or not the job has cleared it. */
export const isBlocked = (
  { blocked_at: at, blocked_until: until }: Pick<StoredBlock, 'blocked_at' | 'blocked_until'>,
  now: number,
): boolean => at !== null && (until === null || until > now);

export const blockMessage = ({ block_reason: reason, blocked_until: until }: StoredBlock): string =>
  `${errors.ACCOUNT_BLOCKED.message} ${until === null ? '' : `До ${moment(until)}. `}Причина: ${reason}`;

export interface AccessToken {
  token: string;
  expiresAt: number;
}

/** The token contains its session and its expiry, signed. Every request also checks that the session is still open. */
export function issueToken(secrets: Secrets, sessionId: number, expiresAt: number): AccessToken {
  const claim = `${sessionId}.${expiresAt}`;
  return { token: `${claim}.${secrets.sign('access token', claim)}`, expiresAt };
}

interface Claim {
  sessionId: number;
  expiresAt: number;
}

/** The claims of tokens with a verified signature, because a browser sends the same token for ten minutes. */
const known = new WeakMap<Secrets, Map<string, Claim>>();
const knownAtMost = 10_000;

/** The session of a token; undefined for a forged or expired token. */
export function readToken(secrets: Secrets, token: string, now: number): number | undefined {
  const claim = known.get(secrets)?.get(token) ?? verifiedClaim(secrets, token);
  return claim && claim.expiresAt > now ? claim.sessionId : undefined;
}

function verifiedClaim(secrets: Secrets, token: string): Claim | undefined {
  const [, claimed, sessionId, expiresAt, signature] =
    /^(([1-9][0-9]{0,15})\.([0-9]{1,12}))\.([\w-]{43})$/.exec(token) ?? [];
  if (claimed === undefined || !secrets.isSignature(signature!, 'access token', claimed)) return undefined;
  const claims = known.get(secrets) ?? new Map<string, Claim>();
  known.set(secrets, claims);
  if (claims.size >= knownAtMost) claims.clear();
  const claim = { sessionId: Number(sessionId), expiresAt: Number(expiresAt) };
  claims.set(token, claim);
  return claim;
}
