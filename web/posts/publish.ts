import { createPost, createReply, type Post } from '#contract/posts.ts';
import { call } from '../lib/api.ts';

/** A new post, or a reply to `repliedPostId`. Sent again with the same key it is published once. */
export function publish(text: string, key: string, repliedPostId: string | null): Promise<Post> {
  const input = { headers: { 'idempotency-key': key }, body: { text } };
  return repliedPostId === null
    ? call(createPost, input)
    : call(createReply, { ...input, params: { id: repliedPostId } });
}
