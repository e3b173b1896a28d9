import { useState } from 'react';
import { explainError } from '../lib/api-error.ts';

/** Something done at a click: one at a time, and what went wrong in words. */
export function useTask(task: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await task();
    } catch (failure) {
      setError(explainError(failure));
    }
    setBusy(false);
  };

  return { busy, error, run };
}
