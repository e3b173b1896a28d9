import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are not on the internet, RFC 6890. */
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
/** IPv6 addresses on the internet are in 2000::/3. `closed` holds the exceptions, such as 6to4 and Teredo addresses. */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
for (const [address, length] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  closed.addSubnet(address, length, 'ipv6');
}

/** Whether an address belongs to a machine on the internet. */
export function isOnInternet(address: string): boolean {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  return !closed.check(address, family) && (family === 'ipv4' || unicast.check(address, family));
}

/** The system's look-up takes a thread of the pool for which writes wait, and reads /etc/hosts. This resolver does neither. */
const internet: Names = new Resolver({ timeout: 1_500, tries: 2 });

type Names = Record<'resolve4' | 'resolve6', (name: string) => Promise<string[]>>;

/** Decides to which hosts the server sends pushes: push services on the internet, and the hosts in `own` (`host:port`). */
export function pushHosts(own: readonly string[], names: Names = internet) {
  async function addressesOf(name: string): Promise<string[]> {
    const found = await Promise.allSettled([names.resolve4(name), names.resolve6(name)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }

  const isOwn = ({ hostname, port }: URL): boolean => own.includes(`${hostname}:${port || 443}`);

  /** Checks the URL without a look-up. An IP address has to be checked here: a connection to it never calls `lookup`. */
  function hasAllowedName(url: URL): boolean {
    if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
    if (isOwn(url)) return true;
    const name = url.hostname.replace(/^\[|[\].]$/g, '');
    return isIP(name) ? isOnInternet(name) : name.includes('.') && !name.endsWith('.localhost');
  }

  /** Checks the URL of a new subscription. A name without addresses is allowed, because it may be found later. */
  async function isAllowed(url: URL): Promise<boolean> {
    if (!hasAllowedName(url)) return false;
    if (isOwn(url) || isIP(url.hostname.replace(/^\[|\]$/g, ''))) return true;
    return (await addressesOf(url.hostname)).every(isOnInternet);
  }

  /** Replaces the system's look-up when a connection is opened, because the addresses of a name may have changed since. */
  const lookup: LookupFunction = async (name, { all }, done) => {
    const addresses = await addressesOf(name);
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const isRefused = found.length === 0 || !addresses.every(isOnInternet);
    if (isRefused) done(Object.assign(new Error(`no public address: ${name}`), { code: 'ENOTFOUND' }), []);
    else if (all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };

  return {
    hasAllowedName,
    isAllowed,
    connecting: (url: URL) => (isOwn(url) ? { rejectUnauthorized: false, lookup: systemLookup } : { lookup }),
  };
}

export type PushHosts = ReturnType<typeof pushHosts>;
