import { forget, keep, kept, onKeptElsewhere } from '../lib/kept.ts';

export const signInMarkKey = 'signed-in';

/**
 * That somebody is signed in here, no secret: the moment they did so. The session cookie is out of our sight; without
 * the mark nothing is asked of the server that a visitor would be refused.
 */
export const signInMark = (): string | null => kept('localStorage', signInMarkKey);

export const leaveSignInMark = (): void => keep('localStorage', signInMarkKey, new Date().toISOString());

/** Unless somebody has signed in anew since. */
export function removeSignInMark(mark: string): void {
  if (signInMark() === mark) forget('localStorage', signInMarkKey);
}

/** Tells of marks that other tabs left or removed. */
export const onSignInMark = (look: () => void): void => onKeptElsewhere(signInMarkKey, look);

/** Runs in <head>: the header, the same for everyone, shows at once what its reader may expect. */
export const signInMarkScript: string = `try{if(localStorage.getItem('${signInMarkKey}'))document.documentElement.dataset.signedIn=''}catch{}`;
