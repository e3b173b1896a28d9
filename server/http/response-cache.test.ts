import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer, text as textOf } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { engines, openFresh } from '../../test/kit/engines.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { likePost } from '../features/posts/likes.ts';
import { ResponseCache } from './response-cache.ts';
import { jsonResponse } from './response.ts';
import { newAddress, openBrowser } from '../../test/kit/sign-in.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

for (const engine of engines) {
  describe(`a cached response on ${engine}`, () => {
    test('is never older than a write made while it was built', async () => {
      await using wall = await openWall(engine);
      const anna = await wall.person('anna_petrova');
      for (let i = 1; i <= 30; i += 1) {
        const [id] = await Promise.all([
          wall.post(anna, `${i}`),
          wall.get('/api/v1/posts'),
          wall.get('/api/v1/posts?limit=50'),
        ]);
        for (const query of ['', '?limit=50']) {
          const { json } = await wall.get(`/api/v1/posts${query}`);
          assert.deepEqual([json.posts[0].id, json.total], [String(id), i]);
        }
      }
    });

    test('stays cached however many people read on or are notified of a post', async () => {
      await using fresh = await openFresh(engine);
      const cache = new ResponseCache(fresh.db);
      const build = () => cache.build('the feed', async () => ({ response: jsonResponse([]), tags: ['feed'] }));
      for (const _ of [1, 2]) await build();
      const kept = cache.get('the feed');
      assert.ok(kept);
      // More tags than a cache keeps track of.
      const tags = Array.from({ length: 6_000 }, (_, userId) => `reading:${userId}:0` as const);
      for (const _ of [1, 2]) await fresh.db.tx(async (tx) => tx.touch(...tags));
      const touched = Array.from({ length: 6_000 }, (_, userId) => `unread:${userId}` as const);
      for (const _ of [1, 2]) await fresh.db.tx(async (tx) => tx.touch('post:7', ...touched));
      assert.equal(cache.get('the feed'), kept);
      await fresh.db.tx(async (tx) => tx.touch('feed'));
      assert.equal(cache.get('the feed'), undefined);
    });

    test('keeps no more memory than its bytes, compressed or not', async () => {
      await using fresh = await openFresh(engine);
      const cache = new ResponseCache(fresh.db);
      const response = jsonResponse(Array.from({ length: 400 }, (_, i) => i));
      for (const _ of [1, 2]) await cache.build('numbers', async () => ({ response, tags: ['feed'] }));
      await response.prepare({ 'accept-encoding': 'br' });
      for (const encoding of ['identity', 'br', 'gzip'] as const) {
        const [bytes] = response.form(encoding, []).parts;
        assert.equal(bytes!.buffer.byteLength, bytes!.length, encoding);
      }
    });

    test('is not made for a long address, of which nothing is kept', async () => {
      await using fresh = await openFresh(engine);
      const cache = new ResponseCache(fresh.db);
      const page = jsonResponse([]);
      const visit = async (i: number, tags: [] | undefined): Promise<void> => {
        await cache.build(`page /${i}${'a'.repeat(16_000)}`, async () => ({ response: page, tags }));
      };
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < 1_000; i += 1) await visit(i, i % 2 ? [] : undefined);
      for (let i = 700; i < 1_000; i += 1) await visit(i, []);
      collectGarbage();
      const grown = process.memoryUsage().heapUsed - before;
      assert.ok(grown < 4_000_000, `${grown} bytes`);
      assert.equal(cache.entries, 0);
    });
  });
}

const feed = '/api/v1/posts';

/** The wall on a port, with the number of requests that have reached a route. */
async function listening(wall: Wall) {
  await wall.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = wall.app.server.address() as AddressInfo;
  const counted = { routed: 0 };
  const count = (): void => void (counted.routed += 1);
  subscribe('tracing:fastify.request.handler:start', count);

  async function get(path: string, headers: Record<string, string> = {}) {
    const before = counted.routed;
    const sent = request({ host: '127.0.0.1', port, path, headers }).end();
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    const { date, ...rest } = response.headers;
    assert.ok(date);
    const body = await buffer(response);
    return { status: response.statusCode, headers: rest, body, isRouted: counted.routed > before };
  }

  return { port, get, [Symbol.dispose]: () => unsubscribe('tracing:fastify.request.handler:start', count) };
}

onWalls()('a cached response is sent without its route, and never an outdated one', async (wall) => {
  using server = await listening(wall);
  const anna = await wall.person('anna_petrova');
  const id = await wall.post(anna, 'первая');
  for (const path of [feed, `${feed}/${id}`, `${feed}/${id}/thread`, '/', `/posts/${id}`]) {
    for (const encoding of ['identity', 'br', 'gzip']) {
      const headers = { 'accept-encoding': encoding };
      // The second response is cached, and the third makes the address known.
      for (let i = 0; i < 3; i += 1) await server.get(path, headers);
      // A reload is answered by the route.
      const routed = await server.get(path, { ...headers, 'cache-control': 'max-age=0' });
      const known = await server.get(path, headers);
      assert.deepEqual([routed.isRouted, known.isRouted], [true, false], `${path} ${encoding}`);
      assert.deepEqual({ ...known, isRouted: true }, routed);
    }
    const { headers } = await server.get(path);
    const same = await server.get(path, { 'if-none-match': String(headers.etag) });
    assert.deepEqual([same.status, same.body.length, same.isRouted], [304, 0, false]);
  }

  for (let i = 1; i <= 3; i += 1) {
    await wall.post(anna, `ещё ${i}`);
    const { body } = await server.get(feed);
    assert.equal(JSON.parse(body.toString()).total, i + 1);
  }
  await wall.remove(id);
  assert.equal((await server.get(`/posts/${id}`)).status, 404);
  assert.equal((await server.get(`${feed}/${id}`)).status, 404);
});

test('people who are signed in, and those who ask in another way, are answered by the route', async () => {
  await using wall = await openWall('sqlite');
  using server = await listening(wall);
  const fan = openBrowser(wall);
  await fan.enter('registrations', newAddress());
  const me = Number((await fan.send('GET', '/users/current')).json().id);
  const id = await wall.post(await wall.person('anna_petrova'), 'первая');
  await wall.db.tx((tx) => likePost(tx, { postId: id, userId: me, now: 1 }));
  for (let i = 0; i < 3; i += 1) await server.get(feed);
  assert.equal((await server.get(feed)).isRouted, false);

  const own = await server.get(feed, { authorization: `Bearer ${fan.token}` });
  assert.equal(JSON.parse(own.body.toString()).posts[0].actions.is_liked, true);
  assert.equal(JSON.parse((await server.get(feed)).body.toString()).posts[0].actions.is_liked, false);
  assert.equal((await server.get(feed, { authorization: 'Bearer expired' })).status, 401);
  assert.equal((await server.get(feed, { host: '' })).status, 200);

  const ask = (requests: string) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.end(requests);
    return textOf(socket);
  };
  assert.match(await ask(`GET ${feed} HTTP/1.1\r\n\r\n`), /^HTTP\/1\.1 400 /);
  assert.match(await ask(`GET ${feed} HTTP/1.1\r\nhost: wall\r\nhost: other\r\n\r\n`), /^HTTP\/1\.1 400 /);
  assert.match(await ask('GET /healthz HTTP/1.0\r\nhost: wall\r\nhost: other\r\n\r\n'), /^HTTP\/1\.1 400 /);
  const pipelined = await ask(`GET ${feed} HTTP/1.1\r\nhost: wall\r\n\r\n`.repeat(3));
  assert.equal(pipelined.match(/HTTP\/1\.1 200 OK/g)?.length, 3);
  // Too many pipelined requests end the connection.
  const endless = await ask(`GET ${feed} HTTP/1.1\r\nhost: wall\r\n\r\n`.repeat(200)).catch(() => '');
  assert.ok((endless.match(/HTTP\/1\.1 200 OK/g) ?? []).length < 200);
  assert.match(await ask(`HEAD ${feed} HTTP/1.1\r\nhost: wall\r\n\r\n`), /^HTTP\/1\.1 200 OK\r\n[^{]*$/);
});

test('what is sent without its route counts for the limit of reads, by the address that a trusted proxy names', async () => {
  await using wall = await openWall('sqlite', { READS_PER_MINUTE: '6', TRUST_PROXY: '127.0.0.1' });
  using server = await listening(wall);
  const from = (address: string) => server.get(feed, { 'x-forwarded-for': address });
  const got = [];
  for (let i = 0; i < 7; i += 1) got.push(await from('198.51.100.1'));
  assert.deepEqual(
    got.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200, 429],
  );
  assert.deepEqual(
    got.slice(3, 6).map(({ isRouted }) => isRouted),
    [false, false, false],
  );
  assert.equal((await from('198.51.100.2')).status, 200);
  assert.equal((await from('1:2:3:4:5:6:7::8:9:10')).status, 200, 'no address at all');
});

test('an error in front of the routes is logged and neither ends the process nor the response', async () => {
  const lines: string[] = [];
  await using wall = await openWall('sqlite', {}, pino({ level: 'error' }, { write: (line) => lines.push(line) }));
  const failing = () => {
    throw new Error('not found in the cache');
  };
  wall.app.get('/failing', (asked, reply) => {
    wall.app.fastPath.remember(asked, failing);
    return reply.send('from the route');
  });
  using server = await listening(wall);
  assert.equal((await server.get('/failing')).isRouted, true);
  const { status, body, isRouted } = await server.get('/failing');
  assert.deepEqual([status, String(body), isRouted], [200, 'from the route', true]);
  assert.match(lines.join(''), /not found in the cache/);
});

test('a connection is closed with its next response while the server stops', async () => {
  await using wall = await openWall('sqlite');
  using server = await listening(wall);
  for (let i = 0; i < 3; i += 1) await server.get(feed);
  const socket = connect(server.port, '127.0.0.1');
  const ask = () => socket.write(`GET ${feed} HTTP/1.1\r\nhost: wall\r\n\r\n`);
  ask();
  assert.doesNotMatch(String((await once(socket, 'data'))[0]), /connection: close/i);
  const closed = wall.app.close();
  await new Promise(setImmediate);
  ask();
  assert.match(await textOf(socket), /^HTTP\/1\.1 200 OK\r\n[^]*connection: close/i);
  await closed;
});
