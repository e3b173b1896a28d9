import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { listen } from './watch.ts';
import { serverNow } from './server-clock.ts';

const tickMs = 5_000;
const Now = createContext(0);

/**
 * The clock of the page, on the server's time. Countdowns by seconds tick by themselves. The first render must equal the server's, so it
 * uses the time the page was made, up to half a minute ago. Later ticks correct it.
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
    const stopListening = listen(document, ['visibilitychange'], run);
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, []);

  return <Now value={now}>{children}</Now>;
}

/** Unix seconds on the server's clock. */
export function useNow(): number {
  return useContext(Now);
}
