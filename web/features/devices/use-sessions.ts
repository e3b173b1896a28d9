import { useCallback, useEffect, useRef, useState } from 'react';
import { listSessions, type OwnSession } from '#contract/sessions.ts';
import { explainError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';

type SessionsState = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'here'; sessions: OwnSession[] };

/** The signed-in person's sessions. Loaded again when the page becomes visible and when the network is back. */
export function useSessions() {
  const [state, setState] = useState<SessionsState>({ is: 'loading' });
  const asking = useRef<AbortController>(null);

  const load = useCallback(async () => {
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    try {
      const { sessions } = await call(listSessions, { signal });
      if (!signal.aborted) setState({ is: 'here', sessions });
    } catch (error) {
      if (signal.aborted) return;
      // An old list is better than none.
      setState((known) => (known.is === 'here' ? known : { is: 'failed', message: explainError(error) }));
    }
  }, []);

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

  /** Removes closed sessions at once, then loads the list again and ignores an earlier request. */
  const keepOnly = (isKept: (session: OwnSession) => boolean) => {
    setState((known) => (known.is === 'here' ? { is: 'here', sessions: known.sessions.filter(isKept) } : known));
    void load();
  };

  return { state, retry, keepOnly };
}
