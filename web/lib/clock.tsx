import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';

const tickMs = 15_000;
const Now = createContext(0);

/**
 * One clock for the page, on the server's time: the first render uses the moment the page was made, so that it equals
 * the server's; from there only the time passed is taken from the visitor's clock, which may be hours off.
 */
export function ClockProvider({ startAt, children }: { startAt: number; children: ReactNode }) {
  const [now, setNow] = useState(startAt);

  useEffect(() => {
    const offset = startAt - Date.now() / 1000;
    const tick = () => setNow(Math.floor(Date.now() / 1000 + offset));
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
  }, [startAt]);

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
