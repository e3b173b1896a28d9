import { useCallback } from 'react';
import { onPageEntry } from '../../../lib/dialog-entry.ts';
import { useSession } from '../../session/session.ts';

/**
 * To somebody who is no moderator any more, the server says that what they want does not exist. Loaded again, their page
 * does not exist either. Resolves to whether they are leaving.
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
