import { useEffect, useState } from 'react';
import type { MailOfCode, MailState } from '#contract/sign-in.ts';
import { ApiError } from '#client/api-error.ts';
import { call } from '../../lib/api.ts';
import { clientToken } from '../session/client-token.ts';

const pollMs = 2_000;

interface MailOf {
  /** The id of the operation. */
  of: string;
  mail: MailOfCode;
}

/**
 * Polls the delivery state of an operation's mail until it is final. Undefined until it is known. `isOver`: the server may have
 * removed the operation.
 */
export function useMailState(operationId: string, isOver: boolean, startedWith?: string): MailOfCode | undefined {
  const [known, setKnown] = useState<MailOf>();
  const mail = known?.of === operationId ? known.mail : undefined;
  const polls = !isOver && !isFinal(mail?.state);

  useEffect(() => {
    if (!polls) return undefined;
    const abort = new AbortController();
    const token = async () => startedWith ?? clientToken();
    void poll(operationId, token, abort.signal, (next) => setKnown({ of: operationId, mail: next }));
    return () => abort.abort();
  }, [operationId, polls, startedWith]);

  return mail;
}

const isFinal = (state: MailState | undefined): boolean => state === 'accepted' || state === 'refused';

async function poll(
  id: string,
  token: () => Promise<string>,
  signal: AbortSignal,
  listener: (mail: MailOfCode) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const query = { clientToken: await token() };
      const mail = await call('GET /mail/{id}', { params: { id }, query, signal });
      if (signal.aborted) return;
      listener(mail);
      if (isFinal(mail.state)) return;
    } catch (error) {
      // The operation is gone. After any other failure the next request may succeed.
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
