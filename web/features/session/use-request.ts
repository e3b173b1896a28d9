import { type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import { explainError } from '../../lib/api-error.ts';
import { showToast } from '../../lib/toasts.ts';
import { type Action, usePerform } from './actions.ts';

interface RequestOptions {
  /** Performed after signing in again if the session has ended. */
  action?: Action;
  /** Called after success and before signing in again, unless the component is gone. */
  onClose?: () => void;
  /** Turns an error into words for people. */
  explain?: (error: unknown) => string;
}

/** Sends one request at a time. `error` is fit to show; once the component is gone a toast shows it. */
export function useRequest({ action, onClose, explain = explainError }: RequestOptions = {}) {
  const perform = usePerform();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isSending = useRef(false);
  const isMounted = useIsMounted();

  const fail = (failure: unknown) => {
    if (failure instanceof ApiError && failure.code === 'UNAUTHORIZED') {
      // The page itself says that the session has ended.
      if (!action) return;
      if (isMounted.current) {
        onClose?.();
        return perform(action);
      }
    }
    if (isMounted.current) setError(explain(failure));
    else showToast(explain(failure));
  };

  const send = async (request: () => Promise<void>) => {
    if (isSending.current) return;
    isSending.current = true;
    setBusy(true);
    setError(null);
    try {
      await request();
      if (isMounted.current) onClose?.();
    } catch (failure) {
      fail(failure);
    }
    isSending.current = false;
    setBusy(false);
  };

  return { busy, error, send };
}

/** Whether the component is still there. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
