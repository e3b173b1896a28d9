import type { QuotedPost } from '#contract/posts.ts';

/** Whether the reply was written to an earlier text. */
export const wasChangedAfter = (
  replied: Pick<QuotedPost, 'modified_at'> | undefined,
  reply: Pick<QuotedPost, 'created_at'>,
): boolean => (replied?.modified_at ?? 0) > reply.created_at;
