import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ConfigError } from '../../config-values.ts';
import { type Config, senderDomain } from '../../config.ts';
import { addressesOf, type Dns, type Sender } from './records.ts';

/** Networks whose addresses other mail servers never see. */
const inner = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  inner.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  inner.addSubnet(network, bits, 'ipv6');

const isPublic = (address: string): boolean => !inner.check(address, `ipv${isIP(address) as 4 | 6}`);

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address.split('%')[0]!));

export async function senderOf(config: Config, dns: Dns): Promise<Sender> {
  const domain = senderDomain(config);
  if (!domain.includes('.') || isIP(domain) !== 0) {
    throw new ConfigError(`MAIL_FROM: нужен адрес в вашем домене, а не ${config.mailFrom}.`);
  }
  if (config.smtpUrl === undefined) return { domain, host: undefined, addresses: [], isService: false };
  const host = new URL(config.smtpUrl).hostname.replace(/^\[(.+)\]$/, '$1');
  if (isIP(host) !== 0 && isPublic(host)) return { domain, host, addresses: [host], isService: false };
  const given = isIP(host) !== 0 || host === 'localhost' ? [] : await addressesOf(dns, host);
  const known = given.length > 0 ? given : ownAddresses();
  return { domain, host, addresses: known.filter(isPublic), isService: given.length > 0 && !isRelated(host, domain) };
}

/** Whether both names end with the same two labels. */
function isRelated(host: string, domain: string): boolean {
  const end = (name: string): string => name.toLowerCase().split('.').slice(-2).join('.');
  return end(host) === end(domain);
}
