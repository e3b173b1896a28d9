import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openWall } from '../../test/kit/wall.ts';
import { clientNetwork, closeStalledConnections, limitConnections } from './connections.ts';
import { readLimit } from './request-guards.ts';
import { pollWithin } from '../../test/kit/polling.ts';
import { subnetsOf } from '../config.ts';

test('reads are limited by address, with the time to wait', async () => {
  await using wall = await openWall('sqlite', { READS_PER_MINUTE: '5' });
  for (let i = 0; i < 5; i += 1) assert.equal((await wall.get('/api/v1/posts')).status, 200);
  const api = await wall.get('/api/v1/posts');
  assert.deepEqual([api.status, api.json.code], [429, 'TOO_MANY_REQUESTS']);
  assert.ok(Number(api.headers['retry-after']) >= 1 && Number(api.headers['retry-after']) <= 60);
  const page = await wall.get('/', { accept: 'text/html' });
  assert.equal(page.status, 429);
  assert.match(page.text, /<p>Слишком много запросов/);
});

test('those who ask whether the wall is well have no limit and use up nobody else’s', async () => {
  await using wall = await openWall('sqlite', { READS_PER_MINUTE: '3' });
  for (let i = 0; i < 3; i += 1) {
    for (const path of ['/healthz', '/readyz', '/readyz?from=elsewhere']) {
      assert.equal((await wall.get(path)).status, 200);
    }
    assert.equal((await wall.get('/api/v1/posts')).status, 200);
  }
  assert.equal((await wall.get('/api/v1/posts')).status, 429);
  assert.equal((await wall.get('/readyz')).status, 200);
});

test('a start warns once when all requests come from one private address without TRUST_PROXY', async () => {
  const warnings = async (settings: NodeJS.ProcessEnv): Promise<string[]> => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line).msg) });
    await using wall = await openWall('sqlite', settings, log);
    const address = await wall.app.listen({ host: '127.0.0.1', port: 0 });
    for (let i = 0; i < 410; i += 1) assert.equal((await fetch(`${address}/robots.txt`)).status, 200);
    return lines;
  };
  const PUBLIC_URL = 'https://wall.example.org';
  assert.deepEqual(await warnings({ PUBLIC_URL }), [
    'all requests come from 127.0.0.1: if that is a reverse proxy, set TRUST_PROXY=127.0.0.1',
  ]);
  assert.deepEqual(await warnings({ PUBLIC_URL, TRUST_PROXY: '127.0.0.1' }), []);
  assert.deepEqual(await warnings({}), []);
});

test('X-Forwarded-For counts only from a trusted proxy', async () => {
  const from = async (trusted: string, remoteAddress: string, forwarded: string) => {
    await using wall = await openWall('sqlite', { READS_PER_MINUTE: '2', TRUST_PROXY: trusted });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const headers = { 'x-forwarded-for': forwarded.replace('N', String(i)) };
      statuses.push((await wall.app.inject({ url: '/api/v1/posts', remoteAddress, headers })).statusCode);
    }
    return statuses;
  };
  assert.deepEqual(await from('', '203.0.113.9', '198.51.100.N'), [200, 200, 429]);
  assert.deepEqual(await from('10.0.0.1', '203.0.113.9', '198.51.100.N'), [200, 200, 429]);
  assert.deepEqual(await from('10.0.0.1', '10.0.0.1', '198.51.100.N'), [200, 200, 200]);
  assert.deepEqual(await from('10.0.0.1', '10.0.0.1', '198.51.100.N, 203.0.113.7'), [200, 200, 429]);
  // A port, or text that is no address, makes no new client.
  for (const forwarded of [
    '198.51.100.7:800N',
    '[2001:db8:1:2::1]:800N',
    '198.51.100.7N:1:2',
    '1:2:3:4:5:6:7::8:9:1N',
    'unknownN',
  ]) {
    assert.deepEqual(await from('10.0.0.1', '10.0.0.1', forwarded), [200, 200, 429], forwarded);
  }
});

test('the IPv6 addresses of a household count as one', () => {
  const limit = readLimit(2);
  const wait = (ip: string): number => limit(clientNetwork(ip));
  assert.deepEqual(['2001:db8:1:2::1', '2001:0DB8:1:2:ffff::2', '2001:db8:1:2:3:4:5:6'].map(wait).map(Boolean), [
    false,
    false,
    true,
  ]);
  assert.deepEqual(['2001:db8::1', '2001:db8:0:0:9::', '2001:db8:0:1::'].map(wait).map(Boolean), [false, false, false]);
  assert.deepEqual(['::ffff:10.0.0.1', '10.0.0.1', '::ffff:10.0.0.2', '::ffff:10.0.0.1'].map(wait).map(Boolean), [
    false,
    false,
    false,
    true,
  ]);
});

const perAddress = 3;

for (const [who, settings, takenOf8] of [
  ['an address', {}, perAddress],
  ['a trusted proxy', { TRUST_PROXY: '127.0.0.1' }, 8],
] as const) {
  test(`${who} holds ${takenOf8} of 8 connections open, and another one once one is closed`, async (t) => {
    const wall = await openWall('sqlite', { CONNECTIONS_PER_IP: String(perAddress), ...settings });
    await wall.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = wall.app.server.address() as AddressInfo;
    const sockets: Socket[] = [];
    t.after(async () => {
      for (const socket of sockets) socket.destroy();
      await wall.close();
    });
    const isAccepted = async (): Promise<boolean> => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      socket.write('GET /healthz HTTP/1.1\r\nHost: wall\r\n\r\n');
      return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
    };

    const accepted: boolean[] = [];
    for (let i = 0; i < 8; i += 1) accepted.push(await isAccepted());
    assert.deepEqual(
      accepted,
      accepted.map((_, i) => i < takenOf8),
    );
    sockets[0]!.destroy();
    await pollWithin(500, async () => (await isAccepted()) || undefined);
    assert.equal(sockets.at(-1)!.destroyed, false);
    assert.equal(await isAccepted(), takenOf8 === 8);
  });
}

test('the IPv6 addresses of a household count as one, all others separately', () => {
  const server = createServer();
  limitConnections(server, { perAddress: 1, proxies: subnetsOf(['10.0.0.0/8', 'fd00::/8']) });
  const isTaken = (remoteAddress: string): boolean => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    return !socket.destroyed;
  };
  for (const [first, second, taken] of [
    ['203.0.113.1', '203.0.113.2', true],
    ['::ffff:203.0.113.3', '203.0.113.3', false],
    ['2001:db8::1', '2001:db8::2', false],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', true],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1', true],
    ['fd00::1', 'fd00::1', true],
  ] as const) {
    assert.deepEqual([isTaken(first), isTaken(second)], [true, taken], `${first} and ${second}`);
  }
});

const patienceMs = 1_000;
const chunk = Buffer.alloc(256 * 1024);
/** More than the socket buffers of the system hold. */
const chunks = 80;

test('disconnects clients that read nothing of a response, not slow ones', async () => {
  const server = createServer((_request, response) => {
    pipeline(Readable.from(Array.from({ length: chunks }, () => chunk)), response).catch(() => {});
  });
  closeStalledConnections(server, patienceMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: wall\r\nConnection: close\r\n\r\n');
    return socket;
  };

  const [deaf, idle] = [ask().pause(), connect((server.address() as AddressInfo).port, '127.0.0.1').resume()];
  const [, gone] = (await once(server, 'request')) as [unknown, ServerResponse];
  await once(gone, 'close');
  assert.equal(gone.writableFinished, false, 'the response was incomplete');
  deaf.destroy();

  let taken = 0;
  for await (const some of ask()) {
    taken += (some as Buffer).length;
    await sleep(6);
  }
  assert.ok(taken > chunks * chunk.length, `disconnected after ${taken} bytes`);
  assert.equal(idle.destroyed, false, 'an idle connection is not closed');
  idle.destroy();
  server.close();
});
