import { onStoredElsewhere, readStored, removeStored, writeStored } from '../../lib/storage.ts';

export const signInFlagKey = 'signed-in';

/**
 * The time of the sign-in, which is no secret. Scripts cannot read the session cookie; without this flag the page sends
 * no request that the server would reject for a visitor.
 */
export const readSignInFlag = (): string | null => readStored('localStorage', signInFlagKey);

export const setSignInFlag = (): void => writeStored('localStorage', signInFlagKey, new Date().toISOString());

/** Does nothing if somebody has signed in again since. */
export function removeSignInFlag(flag: string): void {
  if (readSignInFlag() === flag) removeStored('localStorage', signInFlagKey);
}

export const onSignInFlagElsewhere = (listener: () => void): void => onStoredElsewhere(signInFlagKey, listener);

/** Runs in <head>. The HTML is the same for everyone; with the flag the header has the right layout from the first paint. */
export const signInFlagScript: string = `try{if(localStorage.getItem('${signInFlagKey}'))document.documentElement.dataset.signedIn=''}catch{}`;
