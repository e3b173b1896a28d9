import { useEffect, useState } from 'react';
import { type Operation, secondsToWait } from './operation.ts';

const tickMs = 500;

/** Counts down to the moment when another code may be asked for. */
export function useSecondsToWait(operation: Operation): number {
  const [now, setNow] = useState(() => Date.now());
  const left = secondsToWait(operation, now);
  const counting = left > 0;

  useEffect(() => {
    if (!counting) return undefined;
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [counting]);

  return left;
}
