import { serverNow } from './server-clock.ts';
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';

const tickMs = 5_000;
const Now = createContext(0);

/**
 * One clock for the page, on the server's time. The first render uses the moment the page was made, so that it equals
 * the server's; the page may be half a minute old, which later ticks make up for.
 */
export function ClockProvider({ startAt, children }: { startAt: number; children: ReactNode }) {
  const [now, setNow] = useState(startAt);

  useEffect(() => {
    const tick = () => setNow(Math.floor(serverNow()));
    let timer: ReturnType<typeof setInterval> | undefined;
    const run = () => {
      clearInterval(timer);
      if (document.hidden) return;
      tick();
      timer = setInterval(tick, tickMs);
    };
    run();
    document.addEventListener('visibilitychange', run);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', run);
    };
  }, []);

  return <Now value={now}>{children}</Now>;
}

/** Unix seconds on the server's clock. */
export function useNow(): number {
  return useContext(Now);
}

const never = () => () => {};

/** False on the server and in the first render of its HTML, true from then on. */
export function useMounted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
