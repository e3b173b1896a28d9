import { createObservable } from '../../../lib/observable.ts';

/** How many posts written on this page wait for a moderator. */
export const heldPosts = createObservable(0);
