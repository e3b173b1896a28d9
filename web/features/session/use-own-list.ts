import { useCallback, useEffect, useRef, useState } from 'react';
import { explainError } from '../../lib/api-error.ts';

type OwnListState<Item> = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'here'; items: Item[] };

/**
 * A short list of what belongs to the signed-in person. Loaded again when the page becomes visible and when the network is
 * back. `read` must stay the same function.
 */
export function useOwnList<Item>(read: (signal: AbortSignal) => Promise<Item[]>) {
  const [state, setState] = useState<OwnListState<Item>>({ is: 'loading' });
  const asking = useRef<AbortController>(null);

  const load = useCallback(async () => {
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    try {
      const items = await read(signal);
      if (!signal.aborted) setState({ is: 'here', items });
    } catch (error) {
      if (signal.aborted) return;
      // An old list is better than none.
      setState((known) => (known.is === 'here' ? known : { is: 'failed', message: explainError(error) }));
    }
  }, [read]);

  useEffect(() => {
    const look = () => {
      if (!document.hidden) void load();
    };
    void load();
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      asking.current?.abort();
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [load]);

  const retry = () => {
    setState({ is: 'loading' });
    void load();
  };

  /** Changes the list at once, then loads it again and ignores an earlier request. */
  const change = (changed: (items: Item[]) => Item[]) => {
    setState((known) => (known.is === 'here' ? { is: 'here', items: changed(known.items) } : known));
    void load();
  };

  return { state, retry, change };
}
