import { useEffect, useState } from 'react';
import { getMailState, type MailState } from '#contract/auth.ts';
import { ApiError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import { clientToken } from './client-token.ts';

const lookEveryMs = 2_000;

/** What became of the mail with an operation's code, asked until that is decided; not once the operation is over, which it may be as soon as a code is verified. */
export function useMailState(operationId: string, isOver: boolean): MailState {
  const [known, setKnown] = useState<{ of: string; state: MailState }>();
  const state = known?.of === operationId ? known.state : 'sending';
  const waits = !isOver && !isDecided(state);

  useEffect(() => {
    if (!waits) return undefined;
    const leaving = new AbortController();
    void follow(operationId, leaving.signal, (told) => setKnown({ of: operationId, state: told }));
    return () => leaving.abort();
  }, [operationId, waits]);

  return state;
}

const isDecided = (state: MailState): boolean => state === 'accepted' || state === 'refused';

async function follow(id: string, signal: AbortSignal, tell: (state: MailState) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const query = { clientToken: await clientToken() };
      const { state } = await call(getMailState, { params: { id }, query, signal });
      if (signal.aborted) return;
      tell(state);
      if (isDecided(state)) return;
    } catch (error) {
      // The operation is gone. Whatever else failed may work the next time.
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return;
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
