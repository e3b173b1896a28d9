import { useCallback, useEffect, useRef, useState } from 'react';
import type { MutedUser } from '#contract/mutes.ts';
import { explainLoading } from '../lib/on-demand.ts';
import { useMutes } from './mutes-context.ts';

type MutedUsersState = { is: 'loading' } | { is: 'failed'; message: string } | { is: 'here'; users: MutedUser[] };

/** Whom one has muted, by name, as it was when the page was opened: whoever is shown again may be muted again. */
export function useMutedUsers() {
  const { refresh } = useMutes();
  const [state, setState] = useState<MutedUsersState>({ is: 'loading' });
  const isHere = useRef(false);

  const load = useCallback(async () => {
    const become = (next: MutedUsersState) => isHere.current && setState(next);
    try {
      become({ is: 'here', users: await refresh() });
    } catch (error) {
      become({ is: 'failed', message: explainLoading(error) });
    }
  }, [refresh]);

  useEffect(() => {
    isHere.current = true;
    void load();
    return () => {
      isHere.current = false;
    };
  }, [load]);

  const retry = () => {
    setState({ is: 'loading' });
    void load();
  };

  return { state, retry };
}
