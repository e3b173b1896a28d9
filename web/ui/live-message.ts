import { createObservable } from '../lib/observable.ts';

/** The text in the page's live region. */
export const liveMessage = createObservable('');

/** Makes screen readers say what only the eye can see, such as new posts at the end of a list. */
export function showLiveMessage(text: string): void {
  // Screen readers say nothing when the text stays the same.
  liveMessage.set(text === liveMessage.get() ? `${text}\u00a0` : text);
}
