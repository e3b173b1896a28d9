import { useMemo } from 'react';
import type { Post } from '#contract/posts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { createRequiredContext } from '../../../lib/required-context.ts';
import type { PostList } from './post-list-state.ts';
import type { PostListId, PostStore } from './post-store.ts';

export const [PostStoreProvider, usePostStore] = createRequiredContext<PostStore>();

/** The current state of a post, with the current state of the post it replies to. */
export function usePost(id: string): Post | undefined {
  const post = useStored(id);
  const replied = useStored(post?.actions.replied_post?.id);
  return useMemo(() => {
    if (!post || !replied) return post;
    const quoted = { ...replied, actions: { ...replied.actions, replied_post: null } };
    return { ...post, actions: { ...post.actions, replied_post: quoted } };
  }, [post, replied]);
}

function useStored(id: string | undefined): Post | undefined {
  return useObservable(usePostStore().content, ({ post }) => (id === undefined ? undefined : post(id)));
}

export function usePostList(id: PostListId): PostList {
  const list = useObservable(usePostStore().content, (content) => content.list(id));
  if (!list) throw new Error(`List ${id} was dropped`);
  return list;
}
