import { addresses } from '#contract/addresses.ts';
import type { Post, QuotedPost } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import { machineTime } from '../lib/time.ts';

/** A post and its replies in the vocabulary of schema.org, for search engines. */
export function discussion(post: Post, replies: readonly Post[], publicUrl: string): object {
  const addressOf = (id: string): string => publicUrl + addresses.post.href({ id });
  const described = ({ id, text, created_at, owner, actions }: Post | QuotedPost) => ({
    url: addressOf(id),
    text,
    datePublished: machineTime(created_at),
    author: {
      '@type': 'Person',
      name: shownName(owner),
      url: publicUrl + addresses.user.href(owner),
    },
    interactionStatistic: [counter('LikeAction', actions.likes_count), counter('CommentAction', actions.replies_count)],
  });
  const { parent_post_id: root } = post.actions;
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    ...described(post),
    ...(root !== null && { isPartOf: addressOf(root) }),
    ...(replies.length > 0 && {
      comment: replies.map((reply) => ({ '@type': 'Comment', ...described(reply) })),
    }),
  };
}

const counter = (action: 'LikeAction' | 'CommentAction', count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: count,
});
