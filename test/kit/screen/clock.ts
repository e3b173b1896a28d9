import type { Window } from 'happy-dom';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the time of the window on, running on the way what was due. */
  advance(ms: number): Promise<void>;
  /** Nothing runs any more that was to run later. */
  stop(): void;
}

interface Timer {
  due: number;
  run(): void;
  waiting: NodeJS.Timeout;
}

/** Time in a window: it runs like the machine's, and a test can move it on. */
export function addClock(window: Window, start: number): Clock {
  const began = performance.now();
  let skipped = 0;
  let isStopped = false;
  let count = 0;
  const timers = new Map<number, Timer>();
  const elapsed = (): number => performance.now() - began + skipped;
  // It stands still during a task. Otherwise a slow machine would hydrate a page in several.
  let taskTime: number | undefined;
  const elapsedInTask = (): number => {
    if (taskTime === undefined) setImmediate(() => (taskTime = undefined));
    return (taskTime ??= elapsed());
  };
  const now = (): number => Math.floor(start + elapsed());

  function set(run: () => void, ms = 0): number {
    const id = (count += 1);
    if (isStopped) return id;
    const due = elapsed() + Math.max(0, ms);
    const fire = (): void => {
      clear(id);
      run();
    };
    timers.set(id, { due, run: fire, waiting: setTimeout(fire, ms) });
    return id;
  }

  function clear(id: number | undefined): void {
    clearTimeout(timers.get(id!)?.waiting);
    timers.delete(id!);
  }

  const intervals = new Map<number, number>();
  const repeat = (name: number, run: () => void, ms: number): void => {
    intervals.set(
      name,
      set(() => {
        repeat(name, run, ms);
        run();
      }, ms),
    );
  };

  Object.assign(window, {
    setTimeout: (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => set(() => run(...given), ms),
    clearTimeout: clear,
    setInterval: (run: () => void, ms: number) => {
      const name = (count += 1);
      repeat(name, run, ms);
      return name;
    },
    clearInterval: (name: number) => {
      clear(intervals.get(name));
      intervals.delete(name);
    },
    requestAnimationFrame: (run: (time: number) => void) => set(() => run(elapsed()), 16),
    cancelAnimationFrame: clear,
    requestIdleCallback: (run: () => void) => set(run),
    cancelIdleCallback: clear,
    currentTime: now,
  });
  Object.defineProperty(window, 'performance', {
    value: { now: elapsedInTask, getEntriesByType: () => [], mark: () => {} },
  });
  window.eval(`{
    const RealDate = Date;
    globalThis.Date = class Date extends RealDate {
      constructor(...parts) { parts.length > 0 ? super(...parts) : super(currentTime()); }
      static now() { return currentTime(); }
    };
  }`);

  return {
    now,
    async advance(ms) {
      const end = elapsed() + ms;
      for (;;) {
        const next = [...timers.values()].toSorted((a, b) => a.due - b.due)[0];
        if (!next || next.due > end) break;
        skipped += Math.max(0, next.due - elapsed());
        next.run();
        // Work that the timer began may set further timers.
        await new Promise(setImmediate);
      }
      skipped += Math.max(0, end - elapsed());
    },
    stop() {
      isStopped = true;
      for (const id of timers.keys()) clear(id);
    },
  };
}
