import { limits } from '#contract/limits.ts';
import { latinName, normalizeDisplayName } from '#contract/profile-text.ts';
import { isUsername } from '#contract/username.ts';
import { isReserved } from '../../features/account/account-rules.ts';

/** Leaves room for a number. */
const baseLength = limits.usernameMax - 8;

/** A person's name as the wall shows it, cut where it is too long; empty where nothing of it can be shown. */
export function nameOf(raw: string): string {
  const begin = Array.from(raw.slice(0, 1_000).toWellFormed()).slice(0, limits.displayNameLength).join('');
  const name = normalizeDisplayName(begin);
  return (name.ok && name.text) || '';
}

const common = 'uchastnik';

const numbered = (base: string, n: number): string => `${base}_${n}`;

/**
 * The beginning of a username, made of a name; short ones need a number. Names of which none can be made, or that would
 * mislead, have one base in common.
 */
export function usernameBase(name: string): string {
  const base = latinName(nameOf(name), baseLength);
  return isUsername(numbered(base, 1)) && !isReserved(base) ? base : common;
}

/** The usernames a person may get, the preferred one first. The last ones are hardly taken. */
export function usernamesFor({ base, namesakes, n }: { base: string; namesakes: number; n: number }): string[] {
  const isFirst = namesakes === 0 && isUsername(base) && base !== common;
  const random = Array.from({ length: 3 }, () => `${base.slice(0, 14)}_${crypto.randomUUID().slice(0, 8)}`);
  return [isFirst ? base : numbered(base, namesakes + 1), `${base}_n${n}`, ...random];
}
