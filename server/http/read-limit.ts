import { clientNetwork } from './client-network.ts';

const windowMs = 60_000;

/**
 * Counts the requests of each address in windows of a minute, for this process alone: close enough for reading, and it
 * costs nothing. Returns the seconds to wait once an address is over its budget, else 0.
 */
export function readLimit(perMinute: number): (ip: string) => number {
  let counts = new Map<string, number>();
  let windowEnds = 0;

  return (ip) => {
    const now = performance.now();
    if (now >= windowEnds) {
      counts = new Map();
      windowEnds = now + windowMs;
    }
    const network = clientNetwork(ip);
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    return count > perMinute ? Math.ceil((windowEnds - now) / 1_000) : 0;
  };
}
