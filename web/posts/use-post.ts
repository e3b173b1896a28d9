import { useMemo, useSyncExternalStore } from 'react';
import type { Post } from '#contract/posts.ts';
import { usePostStore } from './post-store-context.ts';

/** A post as the store knows it now, together with the post it answers. */
export function usePost(id: string): Post | undefined {
  const post = useStored(id);
  const answered = useStored(post?.actions.replied_post?.id);
  return useMemo(() => {
    if (!post || !answered) return post;
    const quoted = { ...answered, actions: { ...answered.actions, replied_post: null } };
    return { ...post, actions: { ...post.actions, replied_post: quoted } };
  }, [post, answered]);
}

function useStored(id: string | undefined): Post | undefined {
  const store = usePostStore();
  const read = () => (id === undefined ? undefined : store.post(id));
  return useSyncExternalStore(store.subscribe, read, read);
}
