import { useCallback, useEffect, useRef, useState } from 'react';
import { explainError } from '../../lib/api-error.ts';
import { listen } from '../../lib/listen.ts';

type Loaded<Value> = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'here'; value: Value };

/**
 * Loads data of the signed-in person when the page that shows it opens. `read` must stay the same function. A later value
 * replaces an earlier one, and a later failure does not: an old value is better than none.
 */
export function useLoaded<Value>(read: (signal: AbortSignal) => Promise<Value>, explain = explainError) {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ is: 'loading' });
  const asking = useRef<AbortController>(null);

  const load = useCallback(async () => {
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    try {
      const value = await read(signal);
      if (!signal.aborted) setLoaded({ is: 'here', value });
    } catch (error) {
      if (signal.aborted) return;
      setLoaded((known) => (known.is === 'here' ? known : { is: 'failed', message: explain(error) }));
    }
  }, [read, explain]);

  useEffect(() => {
    void load();
    return () => asking.current?.abort();
  }, [load]);

  const retry = () => {
    setLoaded({ is: 'loading' });
    void load();
  };

  const change = (changed: (value: Value) => Value) =>
    setLoaded((known) => (known.is === 'here' ? { is: 'here', value: changed(known.value) } : known));

  return { loaded, load, retry, change };
}

/** A short list of what belongs to the signed-in person. Loaded again when the page becomes visible and when the network is back. */
export function useOwnList<Item>(read: (signal: AbortSignal) => Promise<Item[]>) {
  const { loaded, load, retry, change } = useLoaded(read);

  useEffect(() => {
    const look = () => {
      if (!document.hidden) void load();
    };
    const stops = [listen(document, ['visibilitychange'], look), listen(window, ['online'], look)];
    return () => stops.forEach((stop) => stop());
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
