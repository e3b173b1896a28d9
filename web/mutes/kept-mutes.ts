import { signInMark } from '../auth/sign-in-mark.ts';
import { forget, keep, kept, onKeptElsewhere } from '../lib/kept.ts';

/** The sign-in they belong to, then the authors' ids. `muted-script.ts` reads the same before anything is painted. */
export const mutesKey = 'muted';

/** Known before the server is asked, the same in all tabs. Nobody inherits those of another sign-in. */
export function keptMutes(): string[] {
  const [mark, ...authorIds] = parts();
  return mark === signInMark() ? authorIds : [];
}

export function keepMutes(authorIds: Iterable<string>): void {
  const mark = signInMark();
  if (mark !== null) keep('localStorage', mutesKey, [mark, ...authorIds].join(' '));
}

/** Those of a sign-in that is over. */
export function forgetPastMutes(): void {
  if (parts()[0] !== signInMark()) forget('localStorage', mutesKey);
}

/** Tells of what other tabs keep. */
export const onKeptMutes = (look: () => void): void => onKeptElsewhere(mutesKey, look);

const parts = (): string[] => kept('localStorage', mutesKey)?.split(' ') ?? [];
