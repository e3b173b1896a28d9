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
    const network = ip.includes(':') ? network64(ip) : ip;
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    return count > perMinute ? Math.ceil((windowEnds - now) / 1_000) : 0;
  };
}

/** The first 64 bits: a household has them all to itself. An IPv4 address in IPv6 clothes stays one address. */
function network64(ip: string): string {
  if (/^::ffff:\d/i.test(ip)) return ip.slice('::ffff:'.length);
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':').length : 0;
  const filled = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - after).fill('0')];
  return filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
