import { isIP } from 'node:net';

/** A port after an IPv4 address, or after an IPv6 address in brackets. */
const withPort = /^(?:([\d.]+)|\[([^\]]+)\])(?::\d+)?$/;

/**
 * The network that counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, which belong to one
 * household. Everything else counts as one network: a proxy may pass on any text as an address. A closed connection has no
 * address, although Fastify's types say otherwise.
 */
export function clientNetwork(client: string | undefined): string {
  const [, ipv4, ipv6] = withPort.exec(client ?? '') ?? [];
  const [ip = ''] = (ipv4 ?? ipv6 ?? client ?? '').split('%');
  if (isIP(ip) === 0) return '';
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  if (/^::ffff:\d+\./i.test(ip)) return ip.slice('::ffff:'.length);
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':').length : 0;
  const filled = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - after).fill('0')];
  return filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}

/** The same with the IPv6 networks of 56 and 48 bits around it, which may belong to one customer. */
export function clientNetworks(ip: string | undefined): string[] {
  const network = clientNetwork(ip);
  if (!network.includes(':')) return [network];
  const [first, second, third, fourth = ''] = network.split(':');
  const wide = `${first}:${second}:${third}`;
  return [network, `${wide}:${fourth.padStart(4, '0').slice(0, 2)}/56`, `${wide}/48`];
}
