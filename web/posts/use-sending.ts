import { useEffect, useRef, useState } from 'react';
import type { DialogIntent } from '../auth/intent.ts';
import { useIntend } from '../auth/intent-context.ts';
import { ApiError, explainError } from '../lib/api-error.ts';
import { showToast } from '../lib/toasts.ts';

interface SendingOptions {
  intent: DialogIntent;
  onClose: () => void;
  /** What went wrong, in words for people. */
  explain?: (error: unknown) => string;
}

/** One thing sent at a time. What arrives closes the dialog; what does not is told in it, or beside it once it is closed. */
export function useSending({ intent, onClose, explain = explainError }: SendingOptions) {
  const intend = useIntend();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isSending = useRef(false);
  const isOpen = useRef(true);

  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const fail = (failure: unknown) => {
    if (!isOpen.current) return showToast(explain(failure));
    if (!(failure instanceof ApiError && failure.code === 'UNAUTHORIZED')) return setError(explain(failure));
    // The session is over: after signing in again it goes on from here.
    onClose();
    intend(intent);
  };

  const send = async (work: () => Promise<void>) => {
    if (isSending.current) return;
    isSending.current = true;
    setBusy(true);
    setError(null);
    try {
      await work();
      if (isOpen.current) onClose();
    } catch (failure) {
      fail(failure);
    }
    isSending.current = false;
    setBusy(false);
  };

  return { busy, error, send };
}
