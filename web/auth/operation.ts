import { forget, keep, kept } from '../lib/kept.ts';

/** A started sign-in or registration: a code is on its way. */
export interface Operation {
  id: string;
  purpose: 'login' | 'registration';
  /** As it was typed. */
  email: string;
  /** Milliseconds on the visitor's clock, compared with itself alone. */
  startedAt: number;
  /** Another code may be asked for so long after that. */
  pauseSeconds: number;
}

const key = 'sign-in';

/** Codes live about this long; coming back later to where one was awaited would only surprise. */
const usefulMs = 10 * 60_000;

/** Whole seconds until another code may be asked for. A clock that was set back asks for no patience at all. */
export function secondsToWait({ startedAt, pauseSeconds }: Operation, now: number): number {
  const passed = (now - startedAt) / 1_000;
  return passed < 0 ? 0 : Math.max(0, Math.ceil(pauseSeconds - passed));
}

export const isUseful = ({ startedAt }: Operation, now: number): boolean =>
  now >= startedAt && now < startedAt + usefulMs;

/** Kept by the tab, so that a reload comes back to the code. */
export const keepOperation = (operation: Operation): void => keep('sessionStorage', key, JSON.stringify(operation));

export function keptOperation(now: number): Operation | null {
  const operation: Operation | null = JSON.parse(kept('sessionStorage', key) ?? 'null');
  return operation && isUseful(operation, now) ? operation : null;
}

export const forgetOperation = (): void => forget('sessionStorage', key);
