import { signInFlagCookie } from '#contract/page.ts';
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

/**
 * Runs in <head>. The HTML is the same for everyone; with the flag the header has the right layout from the first paint. A
 * sign-in without scripts leaves the flag in a cookie.
 */
export const signInFlagScript: string = `try{let s=localStorage,k='${signInFlagKey}',c=document.cookie.match(/(?:^|; )${signInFlagCookie}=([^;]+)/);if(c){s.setItem(k,decodeURIComponent(c[1]));document.cookie='${signInFlagCookie}=;path=/;max-age=0'}if(s.getItem(k))document.documentElement.dataset.signedIn=''}catch{}`;
