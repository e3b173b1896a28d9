import { useNow } from '../lib/clock.tsx';
import { useMounted } from '../lib/observable.ts';
import { exactTime, machineTime, relativeTime } from '../lib/time.ts';

/** A date in the reader's time zone. The server does not know the time zone, so until the app runs it says how long ago that was. */
export function LocalTime({ at }: { at: number }) {
  const now = useNow();
  const mounted = useMounted();
  const ago = relativeTime(at, now);
  return <time dateTime={machineTime(at)}>{mounted ? exactTime(at) : ago === 'сейчас' ? ago : `${ago} назад`}</time>;
}
