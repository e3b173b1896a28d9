import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks';
import { converse } from './connection.ts';
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

/** Closed loop: every connection always has exactly one request under way. */
export async function runLoad({ port, requests, seconds, connections }: Load): Promise<LoadResult> {
  const microseconds = createHistogram();
  const begun = performance.now();
  const deadline = begun + seconds * 1_000;

  await Promise.all(Array.from({ length: connections }, () => converse(port, timed())));

  return resultOf(microseconds, begun);

  function timed(): () => Buffer | undefined {
    let asked = 0;
    return () => {
      const now = performance.now();
      if (asked > 0) microseconds.record(Math.max(1, Math.round((now - asked) * 1_000)));
      asked = now;
      return now < deadline ? requests.next() : undefined;
    };
  }
}

/** What was recorded since then. */
export function resultOf(microseconds: RecordableHistogram, begun: number): LoadResult {
  const tookMs = performance.now() - begun;
  return {
    count: microseconds.count,
    perSecond: (microseconds.count / tookMs) * 1_000,
    p50Ms: microseconds.percentile(50) / 1_000,
    p99Ms: microseconds.percentile(99) / 1_000,
    maxMs: microseconds.max / 1_000,
  };
}
