import type { Post, PostPage, QuotedPost } from '#contract/posts.ts';
import { machineTime } from './lib/time.ts';

interface ShownPost {
  post: Post;
  replies: PostPage;
}

/** A post and its replies as schema.org describes them, for search engines. */
export function discussion({ post, replies }: ShownPost, publicUrl: string): object {
  const addressOf = (id: string): string => `${publicUrl}/posts/${id}`;
  const described = ({ id, text, created_at, owner, actions }: Post | QuotedPost) => ({
    url: addressOf(id),
    text,
    datePublished: machineTime(created_at),
    author: {
      '@type': 'Person',
      name: owner.username,
      url: `${publicUrl}/users/${encodeURIComponent(owner.username)}`,
    },
    interactionStatistic: [counter('LikeAction', actions.likes_count), counter('CommentAction', actions.replies_count)],
  });
  const { parent_post_id: root } = post.actions;
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    ...described(post),
    ...(root !== null && { isPartOf: addressOf(root) }),
    ...(replies.posts.length > 0 && {
      comment: replies.posts.map((reply) => ({ '@type': 'Comment', ...described(reply) })),
    }),
  };
}

const counter = (action: 'LikeAction' | 'CommentAction', count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: count,
});
