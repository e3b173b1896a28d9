import { useEffect, useState } from 'react';
import { getMailState, type MailState } from '#contract/sign-in.ts';
import { ApiError } from '#client/api-error.ts';
import { call } from '../../lib/api.ts';
import { clientToken } from '../session/client-token.ts';

const pollMs = 2_000;

/** Polls the delivery state of an operation's mail until it is final. `isOver`: the server may have removed the operation. */
export function useMailState(operationId: string, isOver: boolean): MailState {
  const [known, setKnown] = useState<{ of: string; state: MailState }>();
  const state = known?.of === operationId ? known.state : 'sending';
  const polls = !isOver && !isFinal(state);

  useEffect(() => {
    if (!polls) return undefined;
    const abort = new AbortController();
    void poll(operationId, abort.signal, (next) => setKnown({ of: operationId, state: next }));
    return () => abort.abort();
  }, [operationId, polls]);

  return state;
}

const isFinal = (state: MailState): boolean => state === 'accepted' || state === 'refused';

async function poll(id: string, signal: AbortSignal, listener: (state: MailState) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const query = { clientToken: await clientToken() };
      const { state } = await call(getMailState, { params: { id }, query, signal });
      if (signal.aborted) return;
      listener(state);
      if (isFinal(state)) return;
    } catch (error) {
      // The operation is gone. After any other failure the next request may succeed.
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
