import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

/** A started action that a code sent by mail confirms. */
export interface Operation {
  id: string;
  /** Which call started it, in sign-in only. */
  purpose?: 'login' | 'registration' | undefined;
  /** The hash of the consent it was started with. */
  consent?: string | undefined;
  /** The address the code was sent to, as typed. */
  email: string;
  /** Milliseconds on the visitor's clock. Compared only with that clock. */
  startedAt: number;
  /** Seconds from `startedAt` until another code may be requested. */
  pauseSeconds: number;
}

/** Roughly how long a code is valid. A page opened later does not return to the code. */
const usefulMs = 10 * 60_000;

/** Whole seconds until another code may be requested, 0 if the clock was set back. */
export function secondsToWait({ startedAt, pauseSeconds }: Operation, now: number): number {
  const passed = (now - startedAt) / 1_000;
  return passed < 0 ? 0 : Math.max(0, Math.ceil(pauseSeconds - passed));
}

/** The same operation with `seconds` left to wait. */
export function withSecondsToWait(operation: Operation, seconds: number, now: number): Operation {
  return { ...operation, pauseSeconds: Math.floor((now - operation.startedAt) / 1_000) + seconds };
}

export const isUseful = ({ startedAt }: Operation, now: number): boolean =>
  now >= startedAt && now < startedAt + usefulMs;

/** Stores an operation in the tab, so that the page returns to the code after a reload. */
export function operationStorage(key: string) {
  return {
    write: (operation: Operation): void => writeStored('sessionStorage', key, JSON.stringify(operation)),

    read(now: number): Operation | null {
      const operation: Operation | null = JSON.parse(readStored('sessionStorage', key) ?? 'null');
      return operation && isUseful(operation, now) ? operation : null;
    },

    remove: (): void => removeStored('sessionStorage', key),
  };
}

export const signInKey = 'sign-in';

export const storedSignIn = operationStorage(signInKey);
