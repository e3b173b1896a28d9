import type { ReactNode } from 'react';
import { useNow } from '../lib/clock.tsx';
import { useMounted } from '../lib/observable.ts';
import { exactTime, machineTime, relativeTime } from '../lib/time.ts';

/** A date in the reader's time zone, which the server does not know: until the app runs it says how long ago that was. */
export function LocalTime({ at }: { at: number }) {
  const now = useNow();
  const mounted = useMounted();
  const ago = relativeTime(at, now);
  return <time dateTime={machineTime(at)}>{mounted ? exactTime(at) : ago === 'сейчас' ? ago : `${ago} назад`}</time>;
}

/** What only scripts can use is not in the HTML: a text browser would show a button that does nothing. */
export const Scripted = ({ children }: { children: ReactNode }) => useMounted() && children;
