import { useEffect, useRef, useState } from 'react';
import { ApiError, explainError } from '../lib/api-error.ts';
import { showToast } from '../lib/toasts.ts';

/** One closing at a time. What fails is told in the dialog, or beside it once that is closed. */
export function useClosing(close: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isClosing = useRef(false);
  const isOpen = useRef(true);

  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const fail = (failure: unknown) => {
    // One's own session is over: the page makes way for the feed.
    if (failure instanceof ApiError && failure.code === 'UNAUTHORIZED') return;
    if (isOpen.current) setError(explainError(failure));
    else showToast(explainError(failure));
  };

  const start = async () => {
    if (isClosing.current) return;
    isClosing.current = true;
    setBusy(true);
    setError(null);
    try {
      await close();
    } catch (failure) {
      fail(failure);
    }
    isClosing.current = false;
    setBusy(false);
  };

  return { busy, error, start };
}
