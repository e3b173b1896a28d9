import type { Post } from '#contract/posts.ts';
import { createObservable } from '../../../lib/observable.ts';

/** What a moderator is about to do to a post or its discussion. */
export interface Moderated {
  act: 'remove' | 'lock' | 'unlock' | 'pace';
  post: Post;
}

/** The dialog for it is a part of the desk, which is loaded on demand. */
export const moderating = createObservable<Moderated | null>(null);
