import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { test } from 'node:test';
import { withinTurns } from '../../test/kit/turns.ts';
import { openWall } from '../../test/kit/wall.ts';
import { subnetsOf } from '../config.ts';
import { limitConnections } from './connections.ts';

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
    await withinTurns(500, async () => (await isAccepted()) || undefined);
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
