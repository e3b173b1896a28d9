import { useCallback, useEffect, useRef, useState } from 'react';
import { explainError } from '../../lib/explain-error.ts';

type Loaded<Value> = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'here'; value: Value };

/**
 * Loads data of the signed-in person when its page opens. `first` is shown until the data is loaded. `read` must stay the same
 * function. A later failure keeps the earlier value, because an old value is better than none.
 */
export function useLoaded<Value>(read: (signal: AbortSignal) => Promise<Value>, first?: Value) {
  const [loaded, setLoaded] = useState<Loaded<Value>>(
    first === undefined ? { is: 'loading' } : { is: 'here', value: first },
  );
  const asking = useRef<AbortController>(null);

  const load = useCallback(async () => {
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    try {
      const value = await read(signal);
      if (!signal.aborted) setLoaded({ is: 'here', value });
    } catch (error) {
      if (signal.aborted) return;
      setLoaded((known) => (known.is === 'here' ? known : { is: 'failed', message: explainError(error) }));
    }
  }, [read]);

  useEffect(() => {
    void load();
    return () => asking.current?.abort();
  }, [load]);

  const retry = () => {
    setLoaded({ is: 'loading' });
    void load();
  };

  return { loaded, load, retry };
}
