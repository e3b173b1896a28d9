import { setTimeout as pause } from 'node:timers/promises';

/** The next 3:30 in the time zone of the machine or, in a container, of `TZ`. */
export function nextNight(now: Date): Date {
  const night = new Date(now);
  night.setHours(3, 30, 0, 0);
  if (night <= now) night.setDate(night.getDate() + 1);
  return night;
}

/** The clock is read again at least this often, because timers are not exact and clocks are set. */
const atMostMs = 60_000;

/** Works every night until the process is ended. */
export async function everyNight(work: () => Promise<void>): Promise<never> {
  for (;;) {
    const night = nextNight(new Date());
    for (let now = Date.now(); now < night.getTime(); now = Date.now())
      await pause(Math.min(night.getTime() - now, atMostMs));
    await work();
  }
}
