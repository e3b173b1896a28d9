import { BlockList, isIP } from 'node:net';

/** Networks whose addresses cannot be reached from outside. */
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

export const isPublic = (address: string): boolean => !inner.check(address, `ipv${isIP(address) as 4 | 6}`);
