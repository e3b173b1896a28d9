import type { Post } from '#contract/posts.ts';
import type { PostStore } from '../store/post-store.ts';
import { heldPosts } from '../store/own-counts.ts';

/** Adds a post that was just published to the store. */
export async function showNew(store: PostStore, post: Post): Promise<void> {
  store.addPost(post);
  // React renders what has been added in the same turn.
  await Promise.resolve();
}

/** A newcomer's post is not on the wall yet. It is in the list of one's own. */
export const noteHeld = (): void => heldPosts.set(heldPosts.get() + 1);
