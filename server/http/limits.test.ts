import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWall } from '../../test/kit/wall.ts';
import { clientNetwork } from './client-network.ts';
import { readLimit } from './request-guards.ts';

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

test('X-Forwarded-For counts only from a trusted proxy', async () => {
  const from = async (trusted: string, remoteAddress: string, forwarded: string) => {
    const wall = await openWall('sqlite', { READS_PER_MINUTE: '2', TRUST_PROXY: trusted });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const headers = { 'x-forwarded-for': forwarded.replace('N', String(i)) };
      statuses.push((await wall.app.inject({ url: '/api/v1/posts', remoteAddress, headers })).statusCode);
    }
    await wall.close();
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
