import type { Post } from '#contract/posts.ts';
import { createObservable } from '../../../lib/observable.ts';

/** The post that a moderator is about to remove from the wall. The dialog is a part of the desk, which is loaded on demand. */
export const moderating = createObservable<Post | null>(null);
