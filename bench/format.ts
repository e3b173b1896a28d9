import type { Standing } from './load/take-turns.ts';

/** A rate with its latency and its price, as the details show it. */
export function standing({ perSecond, p99Ms, cpuMicroseconds }: Standing): string {
  return `${count(perSecond)}/s (CPU ${cpuMicroseconds.toFixed(1)} µs, p99 ${milliseconds(p99Ms)})`;
}

export const count = (n: number): string => Math.round(n).toLocaleString('en');

export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} kB`;
