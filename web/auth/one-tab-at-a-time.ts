import { limits } from '#contract/limits.ts';

/** What a tab tells the others needs a moment to reach them; their turn comes after it. */
const lingerMs = 50;

/** Runs a task in one tab at a time. Plain http at a network address has no locks: there tabs may do it at once. */
export function oneTabAtATime<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
  if (!('locks' in navigator)) return task();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const patience = AbortSignal.timeout(limits.requestTimeoutMs);
  navigator.locks
    .request(name, { signal: patience }, async () => {
      await task().then(resolve, reject);
      await new Promise((done) => setTimeout(done, lingerMs));
    })
    // The tab whose turn it is has hung.
    .catch(() => task().then(resolve, reject));
  return promise;
}
