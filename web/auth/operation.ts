import { forget, keep, kept } from '../lib/kept.ts';

/** Something begun that a mailed code confirms: the code is on its way. */
export interface Operation {
  id: string;
  /** Where the code went, as it was typed. */
  email: string;
  /** Milliseconds on the visitor's clock, compared with itself alone. */
  startedAt: number;
  /** Another code may be asked for so long after that. */
  pauseSeconds: number;
}

/** Codes live about this long; coming back later to where one was awaited would only surprise. */
const usefulMs = 10 * 60_000;

/** Whole seconds until another code may be asked for. A clock that was set back asks for no patience at all. */
export function secondsToWait({ startedAt, pauseSeconds }: Operation, now: number): number {
  const passed = (now - startedAt) / 1_000;
  return passed < 0 ? 0 : Math.max(0, Math.ceil(pauseSeconds - passed));
}

/** The same, with so many seconds still to wait. */
export function awaitedLonger<Kind extends Operation>(operation: Kind, seconds: number, now: number): Kind {
  return { ...operation, pauseSeconds: Math.floor((now - operation.startedAt) / 1_000) + seconds };
}

export const isUseful = ({ startedAt }: Operation, now: number): boolean =>
  now >= startedAt && now < startedAt + usefulMs;

/** Kept by the tab, so that a reload comes back to the code. */
export function operationKeeper<Kind extends Operation>(key: string) {
  return {
    keep: (operation: Kind): void => keep('sessionStorage', key, JSON.stringify(operation)),

    kept(now: number): Kind | null {
      const operation: Kind | null = JSON.parse(kept('sessionStorage', key) ?? 'null');
      return operation && isUseful(operation, now) ? operation : null;
    },

    forget: (): void => forget('sessionStorage', key),
  };
}
