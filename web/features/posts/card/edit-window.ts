import { useEffect, useState } from 'react';
import type { Post } from '#contract/posts.ts';
import { useClientSettings } from '../../../lib/client-settings.ts';
import { useNow } from '../../../lib/clock.tsx';
import { useMounted } from '../../../lib/observable.ts';
import { serverNow } from '../../../lib/server-clock.ts';

/** The tick is shorter than a second, so that the countdown skips no second. */
const tickMs = 250;

/** Counts down the seconds in which a post may still be edited. */
export function useRemainingEditSeconds({ created_at }: Pick<Post, 'created_at'>): number {
  const end = created_at + useClientSettings().editWindowSeconds;
  const [remaining, setRemaining] = useState(() => secondsUntil(end));
  const counting = remaining > 0;
  const madeAt = useNow();
  const mounted = useMounted();

  useEffect(() => {
    if (!counting) return undefined;
    const timer = setInterval(() => setRemaining(secondsUntil(end)), tickMs);
    return () => clearInterval(timer);
  }, [counting, end]);

  // The first render repeats the server's HTML.
  return mounted ? remaining : Math.max(0, end - madeAt);
}

const secondsUntil = (end: number): number => Math.max(0, Math.ceil(end - serverNow()));
