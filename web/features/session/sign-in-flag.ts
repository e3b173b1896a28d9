import { signInFlagCookie } from '#contract/page-data.ts';
import { listen } from '../../lib/watch.ts';
import { readStored, removeStored } from '../../lib/storage.ts';

/** The key under which 1.0.0 stored the time of the sign-in. That time counts as the flag until the next renewal sets the cookie. */
const storedFlag = 'signed-in';

/** Over HTTPS the name of the cookie has a prefix. */
const cookiePattern = new RegExp(`(?:^|; )((?:__Host-)?${signInFlagCookie})=([^;]+)`);

const readCookie = (): RegExpExecArray | null =>
  typeof document === 'undefined' ? null : cookiePattern.exec(document.cookie);

/**
 * Names the session of this browser, and is no secret. The server sets it beside the session cookie, which scripts cannot
 * read; without it the page sends no request that the server would reject for a visitor.
 */
export const readSignInFlag = (): string | null => readCookie()?.[2] ?? readStored('localStorage', storedFlag);

const waits = 10;
const waitMs = 100;

/** Whether the flag is another one now. WebKit shows scripts a cookie some moments after the response that has set it. */
export async function isFlagChanged(before: string | null): Promise<boolean> {
  for (let tries = 0; readSignInFlag() === before && tries < waits; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return readSignInFlag() !== before;
}

/** Whether this is a flag of 1.0.0. The server replaces such a flag with its own, and the session goes on. */
export const isReplaced = (flag: string): boolean => flag.includes(':');

/** Removes this flag, but not the flag of somebody who has signed in since. */
export function removeSignInFlag(flag: string): void {
  if (isReplaced(flag)) removeStored('localStorage', storedFlag);
  const [, name, value] = readCookie() ?? [];
  if (value !== flag) return;
  document.cookie = `${name}=; Path=/; Max-Age=0${name === signInFlagCookie ? '' : '; Secure'}`;
}

/** Calls the listener when another tab, or a page without scripts, may have changed the flag unnoticed. */
export function onReturn(listener: () => void): void {
  listen(document, ['visibilitychange'], listener);
  addEventListener('pageshow', (event) => {
    if (event.persisted) listener();
  });
}

/**
 * Runs in <head>. The HTML is the same for everyone; with the flag the header has the right layout from the first paint.
 */
export const signInFlagScript: string = `try{let d=document.documentElement.dataset,c=${cookiePattern}.exec(document.cookie);if(c)d.signedIn=c[2];let s=localStorage,f=s.getItem('${storedFlag}'),a=s.getItem('above');if(c&&a)document.documentElement.style.setProperty('--above',a+'px');if(f&&c)s.removeItem('${storedFlag}');else if(f)d.signedIn=f}catch{}`;

/** The key of a choice about a subject. It begins with the flag, so another person's choices have other keys. */
export const ownKey = (subject: string): string => `${readSignInFlag()} ${subject}`;
