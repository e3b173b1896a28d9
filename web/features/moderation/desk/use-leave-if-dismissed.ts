import { useCallback } from 'react';
import { onPageEntry } from '../../../lib/dialog-entry.ts';
import { useSession } from '../../session/session.ts';

/**
 * A dismissed moderator gets 404 for the calls of the desk. This reloads the page then, which gives 404 as well. Resolves to
 * whether it does.
 */
export function useLeaveIfDismissed(): () => Promise<boolean> {
  const session = useSession();
  return useCallback(async () => {
    await session.confirm();
    const state = session.state.get();
    const isDismissed = state.is === 'authorized' && state.user.role === undefined;
    if (isDismissed) onPageEntry(() => location.reload());
    return isDismissed;
  }, [session]);
}
