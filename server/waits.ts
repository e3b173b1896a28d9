import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Milliseconds that a request has waited: for the storage, for a connection of the pool, for its turn among other requests, and
 * for another request that makes the same response. Waits at the same time are added up.
 */
type Waited = Record<'storage' | 'pool' | 'turn' | 'sameResponse', number>;

export interface Waits extends Waited {
  /** When the request began, on the clock of `performance.now`. */
  readonly began: number;
}

const ofRequest = new AsyncLocalStorage<Waits>();

/** The waits of the request for which this code runs; undefined in jobs and while nobody measures. */
export const currentWaits = (): Waits | undefined => ofRequest.getStore();

/** Runs `work` for the request with these waits. The waits apply to everything that `work` calls and awaits. */
export const runFor = (waits: Waits, work: () => void): void => ofRequest.run(waits, work);

/** Runs work that was begun during a request but is not part of it, so that it counts as no request's wait. */
export const runForNobody = <T>(work: () => T): T => ofRequest.exit(work);

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
