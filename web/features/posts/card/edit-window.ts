import { useEffect, useState } from 'react';
import type { Post } from '#contract/posts.ts';
import { useClientSettings } from '../../../lib/client-settings.ts';
import { useNow } from '../../../lib/clock.tsx';
import { useMounted } from '../../../lib/observable.ts';
import { serverNow } from '../../../lib/server-clock.ts';

/** The tick is shorter than a second, so that the countdown skips no second. */
const tickMs = 250;

/** Counts down the seconds in which a post may still be edited. */
export function useEditSecondsLeft({ created_at }: Pick<Post, 'created_at'>): number {
  const end = created_at + useClientSettings().editWindowSeconds;
  const [left, setLeft] = useState(() => secondsUntil(end));
  const counting = left > 0;
  const madeAt = useNow();
  const mounted = useMounted();

  useEffect(() => {
    if (!counting) return undefined;
    const timer = setInterval(() => setLeft(secondsUntil(end)), tickMs);
    return () => clearInterval(timer);
  }, [counting, end]);

  // The first render repeats the server's HTML.
  return mounted ? left : Math.max(0, end - madeAt);
}

const secondsUntil = (end: number): number => Math.max(0, Math.ceil(end - serverNow()));
