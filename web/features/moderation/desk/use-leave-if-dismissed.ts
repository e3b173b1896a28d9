import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';

/** To somebody who is no moderator any more, the server says that what they want does not exist. The desk does neither. */
export function useLeaveIfDismissed(): () => Promise<void> {
  const session = useSession();
  return useCallback(async () => {
    await session.confirm();
    const state = session.state.get();
    if (state.is === 'authorized' && state.user.role === undefined) location.reload();
  }, [session]);
}
