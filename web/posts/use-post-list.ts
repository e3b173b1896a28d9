import { useSyncExternalStore } from 'react';
import { usePostStore } from './post-store-context.ts';
import type { PostList } from './post-list-state.ts';
import type { PostListId } from './post-store.ts';

export function usePostList(id: PostListId): PostList {
  const store = usePostStore();
  const read = () => {
    const list = store.list(id);
    if (!list) throw new Error(`List ${id} is shown after it was forgotten`);
    return list;
  };
  return useSyncExternalStore(store.subscribe, read, read);
}
