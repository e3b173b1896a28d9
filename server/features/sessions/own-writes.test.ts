import assert from 'node:assert/strict';
import { test } from 'node:test';
import { twoProcesses } from '../../../test/kit/live-wall.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

const rounds = 40;

/** The second process reads the write notices of the first rarely. */
const rarely = { pollMs: 800 };

test('what a browser has written through one process it reads through the other at once', async (t) => {
  const { here, there } = await twoProcesses(t, rarely);
  const anna = await register(here);
  const { id } = await publish(anna, 'под сердцем');
  const paths = [`/api/v1/posts/${id}`, '/api/v1/posts', `/posts/${id}`];
  const read = async (path: string, headers: Record<string, string>): Promise<string> =>
    (await fetch(new URL(path, there.url), { headers })).text();
  const likesIn = (text: string): number => Number(/"likes_count":(\d+)/.exec(text)?.[1]);

  // Fills the cache of the other process, which then responds before Fastify handles a request.
  for (let i = 0; i < 3; i += 1) for (const path of paths) await read(path, {});
  const stale = { withCookie: 0, without: 0 };
  for (let i = 0; i < rounds; i += 1) {
    const liked = i % 2 === 0;
    const response = await anna.send(liked ? 'POST' : 'DELETE', `/posts/${id}/likes`);
    const cookie = String(response.headers['set-cookie']);
    assert.match(cookie, /^written=\d+\.[\w-]{43}; Max-Age=5; Path=\/; HttpOnly; SameSite=Strict$/);
    const path = paths[i % 2]!;
    const without = likesIn(await read(path, {}));
    if (without !== Number(liked)) stale.without += 1;
    const own = likesIn(await read(path, { cookie: `other=1; ${cookie.split(';')[0]!}` }));
    if (own !== Number(liked)) stale.withCookie += 1;
    // After a stale response the cache stays outdated for the next round: the request with the cookie has made the process catch up.
    if (without === Number(liked)) for (const again of paths) await read(again, {});
  }
  assert.equal(stale.withCookie, 0);
  assert.ok(stale.without > rounds / 10, 'the process was up to date without the cookie: nothing was tried');
});

test('a page that was deleted through one process is gone through the other', async (t) => {
  const { here, there } = await twoProcesses(t, rarely);
  const anna = await register(here);
  for (let i = 0; i < 3; i += 1) {
    const { id } = await publish(anna, `недолго ${i}`);
    const url = new URL(`/posts/${id}`, there.url);
    for (let reads = 0; reads < 3; reads += 1) await (await fetch(url)).text();
    const { headers } = await anna.send('DELETE', `/posts/${id}`);
    const [cookie] = String(headers['set-cookie']).split(';');
    assert.equal((await fetch(url, { headers: { cookie: cookie! } })).status, 404);
  }
});

test('a post or a like whose request is repeated through another process is there at once', async (t) => {
  const { here, there } = await twoProcesses(t, rarely);
  const anna = await register(here);
  const authorization = `Bearer ${anna.token}`;
  const call = (wall: typeof here, path: string, request?: RequestInit): Promise<Response> =>
    fetch(new URL(`/api/v1${path}`, wall.url), request);
  const feed = async (): Promise<string> => (await call(there, '/posts')).text();
  const isMarked = ({ headers }: Response) => /^written=\d+\.[\w-]{43};/.test(String(headers.get('set-cookie')));
  for (let i = 0; i < 5; i += 1) {
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': `repeated-${i}` };
    const request = { method: 'POST', headers, body: JSON.stringify({ text: `дважды ${i}` }) };
    for (let reads = 0; reads < 3; reads += 1) await feed();
    await call(here, '/posts', request);
    const repeated = await call(there, '/posts', request);
    assert.deepEqual([repeated.status, isMarked(repeated)], [201, true], await repeated.text());
    assert.match(await feed(), new RegExp(`дважды ${i}`));
  }
  const { id } = await publish(anna, 'дважды под сердцем');
  for (const method of ['POST', 'DELETE']) {
    await call(here, `/posts/${id}/likes`, { method, headers: { authorization } });
    const again = await call(there, `/posts/${id}/likes`, { method, headers: { authorization } });
    assert.deepEqual([again.status, isMarked(again)], [200, true], method);
  }
});

test('a made-up number of a write makes no process read the storage', async (t) => {
  const { here, there } = await twoProcesses(t, rarely);
  const anna = await register(here);
  const { headers } = await anna.send('POST', '/posts', { text: 'одна' });
  const [, writeId, signature] = /^written=(\d+)\.([\w-]+);/.exec(String(headers['set-cookie']))!;
  let reads = 0;
  const { catchUp } = there.db;
  there.db.catchUp = () => {
    reads += 1;
    return catchUp();
  };
  const later = Number(writeId) + 1_000;
  for (const claim of [
    '999999999999999',
    '0',
    'x',
    '9'.repeat(40),
    `${later}`,
    `${later}.${signature}`,
    `${writeId}.${'x'.repeat(43)}`,
  ]) {
    const response = await fetch(new URL('/api/v1/posts', there.url), { headers: { cookie: `written=${claim}` } });
    assert.deepEqual([response.status, reads], [200, 0], claim);
  }
});

test('one process on SQLite sets no cookie for a write', async () => {
  await using wall = await openWall('sqlite');
  const anna = await register(wall);
  const response = await anna.send('POST', '/posts', { text: 'одна' });
  assert.equal(response.headers['set-cookie'], undefined);
});
