import type { Post } from '#contract/posts.ts';
import { createObservable } from '../../../lib/observable.ts';

/** An act on a post or its discussion that a moderator has chosen. */
export interface Moderated {
  act: 'remove' | 'lock' | 'unlock' | 'pace';
  post: Post;
}

/** The dialog for it is a part of the desk, which is loaded on demand. */
export const moderating = createObservable<Moderated | null>(null);
