import { signInFlagKey } from '../features/session/sign-in-flag.ts';
import { writeStored } from '../lib/storage.ts';

const key = 'intro-closed';

export function closeIntro(): void {
  // The button with the focus is hidden.
  document.querySelector('main')?.focus({ preventScroll: true });
  writeStored('localStorage', key, '1');
  document.documentElement.dataset['introClosed'] = '';
}

/**
 * Runs in <head>. The server's HTML introduces the wall to everyone; a style hides that from readers who have closed it or
 * have ever been signed in.
 */
export const introScript: string = `try{let s=localStorage,k='${key}';if(s.getItem('${signInFlagKey}')||s.getItem(k)){document.documentElement.dataset.introClosed='';s.setItem(k,1)}}catch{}`;
