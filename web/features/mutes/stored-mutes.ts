import { onStoredElsewhere, readStored, removeStored, writeStored } from '../../lib/storage.ts';
import { readSignInFlag } from '../session/sign-in-flag.ts';

/** Stores the flag of the sign-in the list belongs to, then the authors' ids, separated by spaces. */
const key = 'muted';

/** The list is known before the server is asked. A list of another sign-in is ignored. */
export function readStoredMutes(): string[] {
  const [flag, ...authorIds] = parts();
  return flag === readSignInFlag() ? authorIds : [];
}

export function writeStoredMutes(authorIds: Iterable<string>): void {
  const flag = readSignInFlag();
  if (flag !== null) writeStored('localStorage', key, [flag, ...authorIds].join(' '));
}

/** Removes the list of a sign-in that has ended. */
export function removePastMutes(): void {
  if (parts()[0] !== readSignInFlag()) removeStored('localStorage', key);
}

export const onMutesElsewhere = (listener: () => void): void => onStoredElsewhere(key, listener);

const parts = (): string[] => readStored('localStorage', key)?.split(' ') ?? [];

/** The rules for a card of a discussion that will be a quiet line. */
export const foldedCard =
  '{color:var(--ink-quiet);&>*>:nth-child(n+3){display:none}& [data-permalink]{visibility:hidden}}';

/**
 * Runs in <head>. The server's HTML contains the posts of muted authors in full. Until React renders it anew, these rules hide the rows
 * of lists; in discussions they hide the text and give the cards the height of a quiet line. The content security policy forbids
 * `style=` but not rules added by script. The card of a page, which is never quiet, has no `data-author`.
 */
export const mutedScript: string = `try{let[m,...a]=localStorage.getItem('${key}').split(' '),s=new CSSStyleSheet;if(a[0]&&m===document.documentElement.dataset.signedIn){a=':is('+a.map(i=>'[data-author~="'+i+'"]')+')';s.replaceSync('article[data-in=list]'+a+'{display:none}article[data-in=thread]'+a+'${foldedCard}a'+a+'>:last-child{visibility:hidden;-webkit-line-clamp:1}');document.adoptedStyleSheets=[s]}}catch{}`;
