import { createContext, useContext } from 'react';
import type { PostStore } from './post-store.ts';

const Store = createContext<PostStore | null>(null);

export const PostStoreProvider = Store.Provider;

export function usePostStore(): PostStore {
  const store = useContext(Store);
  if (!store) throw new Error('No PostStoreProvider above');
  return store;
}
