import type { PendingPost, Post } from '#contract/posts.ts';

/** The post that a call has published, on a wall where nothing waits for a moderator. */
export function shownPost(sent: Post | { pending: PendingPost }): Post {
  if ('pending' in sent) throw new Error(`the post ${sent.pending.id} waits for a moderator`);
  return sent;
}
