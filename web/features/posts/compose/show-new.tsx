import type { Post } from '#contract/posts.ts';
import type { PostStore } from '../store/post-store.ts';
import { heldPosts } from '../store/viewer-counts.ts';

/** Adds a post that was just published to the store. */
export async function showNew(store: PostStore, post: Post): Promise<void> {
  store.addPost(post);
  // React renders the added post in this turn of the event loop.
  await Promise.resolve();
}

/** Counts a newcomer's post that waits for a moderator, so that the person's own list requests the waiting posts. */
export const noteHeld = (): void => heldPosts.set(heldPosts.get() + 1);
