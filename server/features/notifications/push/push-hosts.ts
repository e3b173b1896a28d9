import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Everything that is not an address of a machine on the internet, RFC 6890. */
const closed = new BlockList();
const closedSubnets = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`;
for (const [address, length] of closedSubnets
  .trim()
  .split(/\s+/)
  .map((subnet) => subnet.split('/'))) {
  closed.addSubnet(address!, Number(length), 'ipv4');
}
/** The only IPv6 addresses on the internet, without those that stand for an IPv4 address. */
const open = new BlockList();
open.addSubnet('2000::', 3, 'ipv6');
for (const [address, length] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  closed.addSubnet(address, length, 'ipv6');
}

/** Whether an address belongs to a machine on the internet. */
export function isPublic(address: string): boolean {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  return !closed.check(address, family) && (family === 'ipv4' || open.check(address, family));
}

/** Unlike the system's look-up it takes no thread of the pool, which writes wait for, and reads no names of this machine. */
const internet: Names = new Resolver({ timeout: 1_500, tries: 2 });

type Names = Record<'resolve4' | 'resolve6', (name: string) => Promise<string[]>>;

/** What this machine sends requests to for people: push services on the internet, and those in `own` (`host:port`). */
export function pushHosts(own: readonly string[], names: Names = internet) {
  async function addressesOf(name: string): Promise<string[]> {
    const found = await Promise.allSettled([names.resolve4(name), names.resolve6(name)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }

  const isOwn = ({ hostname, port }: URL): boolean => own.includes(`${hostname}:${port || 443}`);

  /** Without a look-up. A connection to an address makes none. */
  function mayBeNamed(url: URL): boolean {
    if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
    if (isOwn(url)) return true;
    const name = url.hostname.replace(/^\[|[\].]$/g, '');
    return isIP(name) ? isPublic(name) : name.includes('.') && !name.endsWith('.localhost');
  }

  /** When it is registered. A name that cannot be found now may be found later. */
  async function isAllowed(url: URL): Promise<boolean> {
    if (!mayBeNamed(url)) return false;
    if (isOwn(url) || isIP(url.hostname.replace(/^\[|\]$/g, ''))) return true;
    return (await addressesOf(url.hostname)).every(isPublic);
  }

  /** When a connection is opened, in place of the system's look-up: what a name leads to may have changed. */
  const lookup: LookupFunction = async (name, { all }, done) => {
    const addresses = await addressesOf(name);
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const isRefused = found.length === 0 || !addresses.every(isPublic);
    if (isRefused) done(Object.assign(new Error(`no public address: ${name}`), { code: 'ENOTFOUND' }), []);
    else if (all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };

  return {
    mayBeNamed,
    isAllowed,
    /** The options of a request. */
    connecting: (url: URL) => (isOwn(url) ? { rejectUnauthorized: false, lookup: systemLookup } : { lookup }),
  };
}

export type PushHosts = ReturnType<typeof pushHosts>;
