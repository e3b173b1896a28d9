import type { PendingPost } from '#contract/posts.ts';

const hours = ({ created_at: from, expires_at: until }: PendingPost): number => Math.round((until - from) / 3_600);

/** The words for the author of a post that waits. */
export const pendingText = (post: PendingPost): string =>
  `Ждёт проверки. Появится, когда её посмотрят, самое позднее через ${hours(post)} ч.`;
