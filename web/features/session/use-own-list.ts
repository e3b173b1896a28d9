import { useEffect } from 'react';
import { useLoaded } from './use-loaded.ts';

/** A short list of what belongs to the signed-in person. Loaded again when the page becomes visible and when the network is back. */
export function useOwnList<Item>(read: (signal: AbortSignal) => Promise<Item[]>) {
  const { loaded, load, retry, change } = useLoaded(read);

  useEffect(() => {
    const look = () => {
      if (!document.hidden) void load();
    };
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [load]);

  return {
    state: loaded.is === 'here' ? { is: loaded.is, items: loaded.value } : loaded,
    retry,
    /** Changes the list at once, then loads it again and ignores an earlier request. */
    change(changed: (items: Item[]) => Item[]): void {
      change(changed);
      void load();
    },
  };
}
