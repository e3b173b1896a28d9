import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Post } from '#contract/posts.ts';
import type { Mutes, Standing } from './mutes.ts';

const Context = createContext<Mutes | null>(null);

export const MutesProvider = Context.Provider;

export function useMutes(): Mutes {
  const mutes = useContext(Context);
  if (!mutes) throw new Error('No MutesProvider above');
  return mutes;
}

const nobody: ReadonlySet<string> = new Set();

/** By their ids. The server's HTML, the same for everyone, shows all authors. */
export function useMutedAuthors(): ReadonlySet<string> {
  const { subscribe, authors } = useMutes();
  return useSyncExternalStore(subscribe, authors, () => nobody);
}

export function useMuted(authorId: string | undefined): boolean {
  const { subscribe, has } = useMutes();
  return useSyncExternalStore(
    subscribe,
    () => authorId !== undefined && has(authorId),
    () => false,
  );
}

export function useStanding(post: Pick<Post, 'id' | 'owner'>): Standing {
  const { subscribe, standing } = useMutes();
  return useSyncExternalStore(
    subscribe,
    () => standing(post),
    () => 'plain',
  );
}
