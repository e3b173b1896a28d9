import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * For how many milliseconds a request has waited: for the storage, for a connection of the pool, for its turn among other requests,
 * and for another request that makes the same response. What runs at the same time counts as often.
 */
type Waited = Record<'storage' | 'pool' | 'turn' | 'sameResponse', number>;

export interface Waits extends Waited {
  /** When the request began, on the clock of `performance.now`. */
  readonly began: number;
}

const ofRequest = new AsyncLocalStorage<Waits>();

/** The waits of the request for which this code runs; undefined in jobs and while nobody measures. */
export const currentWaits = (): Waits | undefined => ofRequest.getStore();

/** Runs `work`, and all that it calls and awaits, for the request with these waits. */
export const runFor = (waits: Waits, work: () => void): void => ofRequest.run(waits, work);

/** Runs work of the process that a request has happened to begin. */
export const runForNobody = <T>(work: () => T): T => ofRequest.exit(work);

/** Counts the time until `work` has ended. */
export async function waited<T>(kind: keyof Waited, work: () => Promise<T>): Promise<T> {
  const waits = ofRequest.getStore();
  if (!waits) return work();
  const began = performance.now();
  try {
    return await work();
  } finally {
    waits[kind] += performance.now() - began;
  }
}

/** The same for work that blocks this thread. */
export function waitedInThread<T>(kind: keyof Waited, work: () => T): T {
  const waits = ofRequest.getStore();
  if (!waits) return work();
  const began = performance.now();
  try {
    return work();
  } finally {
    waits[kind] += performance.now() - began;
  }
}
