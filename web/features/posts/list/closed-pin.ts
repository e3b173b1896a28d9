import { createObservable } from '../../../lib/observable.ts';
import { onStoredElsewhere, readStored, writeStored } from '../../../lib/storage.ts';

const key = 'pin-closed';

/** The id of the pinned post that the reader has closed. Null in the first render, which repeats the server's HTML. */
export const closedPin = createObservable<string | null>(null);

export function closePin(postId: string): void {
  writeStored('localStorage', key, postId);
  closedPin.set(postId);
}

/** Reads the stored id and follows its changes in other tabs. Called once, in the browser. */
export function readClosedPin(): void {
  const read = () => closedPin.set(readStored('localStorage', key));
  onStoredElsewhere(key, read);
  read();
}

/**
 * Runs in <head> of a page with a pinned post, which the server's HTML shows above the list for everyone. For a reader who has closed
 * the pinned post, the rules hide it there and show it in the list, until React leaves it out above. Like the rules of muted authors,
 * the rules are removed after hydration.
 */
export const closedPinScript: string = `try{let i=localStorage.getItem('${key}'),s=new CSSStyleSheet;if(i){s.replaceSync('[data-pin="'+i+'"]{display:none}[data-pinned="'+i+'"]{display:block!important}');document.adoptedStyleSheets.push(s)}}catch{}`;
