/**
 * What counts as one client: an IPv4 address, or the first 64 bits of IPv6, which a household has all to itself. A
 * connection that is gone has no address any more, whatever Fastify's types say.
 */
export function clientNetwork(ip: string | undefined): string {
  if (ip === undefined) return '';
  // An IPv4 address in IPv6 clothes stays one address.
  if (/^::ffff:\d/i.test(ip)) return ip.slice('::ffff:'.length);
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':').length : 0;
  const filled = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - after).fill('0')];
  return filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
