import { limits } from '#contract/limits.ts';
import { latinName, normalizeDisplayName } from '#contract/profile-text.ts';
import { isUsername } from '#contract/username.ts';
import { isReserved } from '../../features/account/keeper-names.ts';

/** Short enough to leave room for a number. */
const baseLength = limits.usernameMax - 8;

/** The display name for a person's name, cut if it is too long; empty if the wall cannot show any of it. */
export function nameOf(raw: string): string {
  const begin = Array.from(raw.slice(0, 1_000).toWellFormed()).slice(0, limits.displayNameLength).join('');
  const name = normalizeDisplayName(begin);
  return (name.ok && name.text) || '';
}

const common = 'uchastnik';

const numbered = (base: string, n: number): string => `${base}_${n}`;

/**
 * The beginning of a username for a name. The shared base `common` is used for names from which none can be made and for names
 * that would mislead.
 */
export function usernameBase(name: string, wallNames: readonly string[]): string {
  const base = latinName(nameOf(name), baseLength);
  return isUsername(numbered(base, 1)) && !isReserved(base, wallNames) ? base : common;
}

/** Possible usernames for a person, the preferred one first. The last ones are random and hardly ever taken. */
export function usernamesFor({ base, namesakes, n }: { base: string; namesakes: number; n: number }): string[] {
  const isFirst = namesakes === 0 && isUsername(base) && base !== common;
  const random = Array.from({ length: 3 }, () => `${base.slice(0, 14)}_${crypto.randomUUID().slice(0, 8)}`);
  return [isFirst ? base : numbered(base, namesakes + 1), `${base}_n${n}`, ...random];
}
