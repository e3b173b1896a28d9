import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { converse, later, type NextRequest } from './connection.ts';
import { type LoadResult, resultOf } from './run-load.ts';
import type { RequestSource } from './requests.ts';

export interface SteadyLoad {
  port: number;
  requests: RequestSource;
  seconds: number;
  connections: number;
  perSecond: number;
}

const tickMs = 1;

/** Open loop: requests are due at a rate, whether earlier ones were answered or not, and are timed from when they were due. */
export async function runSteadily(load: SteadyLoad): Promise<LoadResult> {
  const { port, requests, seconds, connections, perSecond } = load;
  const microseconds = createHistogram();
  /** Moments at which requests were due that nobody has sent yet. */
  const due: number[] = [];
  const idle: Array<() => void> = [];
  let over = false;

  const talking = Promise.all(Array.from({ length: connections }, () => converse(port, timed())));
  const begun = performance.now();
  await Promise.race([tick(), talking]);
  over = true;
  for (const wake of idle.splice(0)) wake();
  await talking;

  return resultOf(microseconds, begun);

  async function tick(): Promise<void> {
    const end = begun + seconds * 1_000;
    const everyMs = 1_000 / perSecond;
    for (let next = begun; next < end; await sleep(tickMs)) {
      for (const now = performance.now(); next <= now && next < end; next += everyMs) due.push(next);
      // First come, first served: none of them is left alone until the server closes it.
      for (const wake of idle.splice(0, due.length)) wake();
    }
  }

  function timed(): NextRequest {
    let since: number | undefined;
    return (wake) => {
      if (since !== undefined) microseconds.record(Math.max(1, Math.round((performance.now() - since) * 1_000)));
      since = due.shift();
      if (since !== undefined) return requests.next();
      if (over) return undefined;
      idle.push(wake);
      return later;
    };
  }
}
