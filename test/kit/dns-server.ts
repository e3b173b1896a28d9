import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Records by name and type, such as `{ 'example.org TXT': ['v=spf1 -all'] }`; MX records are `10 mail.example.org`. */
export type Zone = Record<string, string[] | 'SERVFAIL' | 'silence'>;

/** `await using` closes it. */
export interface DnsServer extends AsyncDisposable {
  /** Node's own resolver, which asks only this server. */
  resolver: Resolver;
}

const types: Record<number, string> = { 1: 'A', 12: 'PTR', 15: 'MX', 16: 'TXT', 28: 'AAAA' };
const noError = 0x8180;
const serverFailure = 0x8182;
const noSuchName = 0x8183;
/** The name of the question. */
const sameName = Buffer.from([0xc0, 0x0c]);
const headerBytes = 12;
const answerWithinMs = 300;

/** A DNS server on the loopback interface. A name that has no record of any type does not exist. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const found = zone[`${name} ${types[type]}`];
    if (found === 'silence') return;
    const records = Array.isArray(found) ? found.map((value) => recordOf(type, value)) : [];
    const exists = Object.keys(zone).some((key) => key.startsWith(`${name} `));
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(found === 'SERVFAIL' ? serverFailure : exists ? noError : noSuchName, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(headerBytes, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: answerWithinMs, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver,
    async [Symbol.asyncDispose]() {
      resolver.cancel();
      socket.close();
      await once(socket, 'close');
    },
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(type: number, value: string): Buffer {
  const data = dataOf(types[type]!, value);
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([sameName, head, data]);
}

function dataOf(type: string, value: string): Buffer {
  switch (type) {
    case 'A':
      return Buffer.from(value.split('.').map(Number));
    case 'AAAA':
      return Buffer.from(groups(value).flatMap((group) => [group >> 8, group & 255]));
    case 'TXT':
      // A string of a record has at most 255 bytes.
      return Buffer.concat(
        (value.match(/[^]{1,255}/g) ?? ['']).map((part) =>
          Buffer.from(`${String.fromCharCode(part.length)}${part}`, 'latin1'),
        ),
      );
    case 'MX': {
      const [priority, exchange = ''] = value.split(' ');
      return Buffer.concat([Buffer.from([0, Number(priority)]), nameOf(exchange)]);
    }
    default:
      return nameOf(value);
  }
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => (label ? [Buffer.from([label.length]), Buffer.from(label, 'latin1')] : [])),
    Buffer.from([0]),
  ]);

/** The name at which the name of an address is found. */
export function reverseName(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  const digits = groups(address).map((group) => group.toString(16).padStart(4, '0'));
  return `${[...digits.join('')].toReversed().join('.')}.ip6.arpa`;
}

/** The eight groups of an IPv6 address. */
function groups(address: string): number[] {
  const [before = '', after = ''] = address.split('::');
  const read = (part: string): number[] => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [head, tail] = [read(before), read(after)];
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
