import { hash, randomBytes } from 'node:crypto';
import type { ApiToken } from '#contract/api-tokens.ts';
import type { Call } from '#contract/call.ts';
import { codePoints, normalizePostText } from '#contract/text.ts';
import { limits } from '#contract/limits.ts';

export type Scope = ApiToken['scope'];

/** Every token begins with this prefix, so that people and scanners for leaked secrets recognize a token. */
const prefix = 'stena_';

const form = /^stena_[\w-]{43}$/;

export const isApiToken = (token: string): boolean => token.startsWith(prefix);

export const newToken = (): string => prefix + randomBytes(32).toString('base64url');

/** The stored form of a token; undefined for a malformed one. 256 random bits need no slow hash. */
export const tokenHash = (token: string): string | undefined =>
  form.test(token) ? hash('sha256', token, 'base64url') : undefined;

/** A token that is not used for this long ends. */
export const idleSeconds = 365 * 24 * 3_600;
/** The time of the last use is written at most once in this time, so that most calls of programs write nothing. */
const usePrecisionSeconds = 3_600;

/** Whether the time of the last use has to be written. A stored time far ahead is replaced: the clock has been set back since. */
export const isUseStale = (lastUsedAt: number | null, now: number): boolean =>
  lastUsedAt === null || Math.abs(now - lastUsedAt) >= usePrecisionSeconds;

/** The stored form of a name, in one line. Idempotent; undefined for a name that is refused. */
export function normalizeTokenName(raw: string): string | undefined {
  const normalized = normalizePostText(raw);
  if (!normalized.ok) return undefined;
  const name = normalized.text.replace(/\s+/gu, ' ');
  return codePoints(name) <= limits.tokenNameLength ? name : undefined;
}

/** Why a token may not make a call, in words for people; undefined when it may. */
export function forbiddenMessage(scope: Scope, needed: Call['scope']): string | undefined {
  if (needed === undefined) return 'Токенам программ это недоступно: войдите на сайт и сделайте это сами.';
  if (scope === 'feed') return 'Этот токен только для адресов лент. Создайте в настройках другой.';
  if (needed === 'write' && scope === 'read') {
    return 'Этот токен только для чтения. Чтобы программа могла писать, создайте в настройках другой.';
  }
  return undefined;
}
