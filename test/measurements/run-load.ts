import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { converse, later, type NextRequest } from './connection.ts';
import type { RequestSource } from './requests.ts';

export interface Load {
  port: number;
  requests: RequestSource;
  seconds: number;
  connections: number;
}

export interface LoadResult {
  count: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const tickMs = 1;

/** Latencies recorded from now on. */
export class Latencies {
  #microseconds = createHistogram();
  readonly begun: number = performance.now();

  record(ms: number): void {
    this.#microseconds.record(Math.max(1, Math.round(ms * 1_000)));
  }

  get result(): LoadResult {
    const { count, max } = this.#microseconds;
    const percentileMs = (percentile: number): number => this.#microseconds.percentile(percentile) / 1_000;
    return {
      count,
      perSecond: (count / (performance.now() - this.begun)) * 1_000,
      p50Ms: percentileMs(50),
      p99Ms: percentileMs(99),
      maxMs: max / 1_000,
    };
  }
}

/** Closed loop: every connection always has exactly one request in flight. `counted` leaves the others out of the result. */
export async function runLoad({
  port,
  requests,
  seconds,
  connections,
  counted,
}: Load & { counted?: (request: Buffer) => boolean }): Promise<LoadResult> {
  const latencies = new Latencies();
  const deadline = latencies.begun + seconds * 1_000;

  await Promise.all(Array.from({ length: connections }, () => converse(port, timed())));
  return latencies.result;

  function timed(): NextRequest {
    let sentAt = 0;
    return () => {
      const now = performance.now();
      if (sentAt > 0) latencies.record(now - sentAt);
      if (now >= deadline) return undefined;
      const request = requests.next();
      sentAt = !counted || counted(request) ? now : 0;
      return request;
    };
  }
}

/** Open loop: requests are due at a fixed rate whether earlier ones are finished or not, and are timed from when they are due. */
export async function runSteadily(load: Load & { perSecond: number }): Promise<LoadResult> {
  const { port, requests, seconds, connections, perSecond } = load;
  /** Times at which requests became due that no connection has sent yet. */
  const due: number[] = [];
  const idle: Array<() => void> = [];
  let over = false;

  const latencies = new Latencies();
  const conversations = Promise.all(Array.from({ length: connections }, () => converse(port, timed())));
  await Promise.race([tick(), conversations]);
  over = true;
  for (const wake of idle.splice(0)) wake();
  await conversations;
  return latencies.result;

  async function tick(): Promise<void> {
    const end = latencies.begun + seconds * 1_000;
    const everyMs = 1_000 / perSecond;
    for (let next = latencies.begun; next < end; await sleep(tickMs)) {
      for (const now = performance.now(); next <= now && next < end; next += everyMs) due.push(next);
      // In turn, so that no connection stays idle until the server closes it.
      for (const wake of idle.splice(0, due.length)) wake();
    }
  }

  function timed(): NextRequest {
    let since: number | undefined;
    return (wake) => {
      if (since !== undefined) latencies.record(performance.now() - since);
      since = due.shift();
      if (since !== undefined) return requests.next();
      if (over) return undefined;
      idle.push(wake);
      return later;
    };
  }
}
