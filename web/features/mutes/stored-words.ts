import type { Owner } from '#contract/posts.ts';

/** What decides whether the person wants to see a post. */
export interface Hideable {
  owner: Pick<Owner, 'id'>;
  text: string;
}

/** Why lists have no row for a post, and discussions a quiet line. A phone shows only the second part. */
export type WhyHidden = readonly [string, string];

declare global {
  /** Finds a word that the person hides. Loaded only for people who hide words, by `hidden-words.ts`. */
  var hiddenWord: ((post: Hideable) => WhyHidden | undefined) | undefined;
}

/** Stores the flag of the sign-in, the id of the person, then the words that the person hides, separated by spaces. */
export const hiddenWordsKey = 'hidden-words';

/**
 * Runs in <head>, after `mutedScript`. Only for a person who hides words, the parser waits for the script that finds them
 * (`hidden-words.ts`), whose address is an attribute of the element. Trusted types need a policy for `document.write`. Words of a
 * sign-in that has ended are removed.
 */
export const hiddenWordsScript: string = `try{let d=document,s=localStorage,k='${hiddenWordsKey}',[f,w]=s.getItem(k).split(' '),h='<script src='+d.currentScript.dataset.file+'><\\/script>';if(f!==d.documentElement.dataset.signedIn)s.removeItem(k);else if(w)d.write(self.trustedTypes?trustedTypes.createPolicy('words',{createHTML:h=>h}).createHTML(h):h)}catch{}`;
