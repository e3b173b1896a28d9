import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { register } from '../../test/kit/member.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';

describe('headers', () => {
  let wall: Wall;
  before(async () => {
    wall = await openWall('sqlite', { PUBLIC_URL: 'https://wall.example' });
    const anna = await wall.person('anna_petrova');
    for (let i = 0; i < 12; i += 1) await wall.post(anna, `Запись номер ${i} о погоде и поездах`);
  });
  after(() => wall.close());

  test('every page has a strict content security policy', async () => {
    for (const path of ['/', '/posts/1', '/users/anna_petrova', '/nothing']) {
      const { headers } = await wall.get(path, { accept: 'text/html' });
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /^default-src 'none'; script-src 'self' 'sha256-[\w+/=]+'/);
      assert.match(
        policy,
        /frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types /,
      );
      assert.match(String(headers['permissions-policy']), /camera=\(\).*microphone=\(\)/);
      assert.doesNotMatch(policy, /unsafe|\*|http/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'same-origin');
      assert.match(String(headers['strict-transport-security']), /max-age=31536000/);
      assert.equal(headers['cache-control'], 'no-cache');
    }
  });

  test('so do API responses, including errors', async () => {
    for (const path of ['/api/v1/posts', '/api/v1/posts/404', '/api/v1/nothing']) {
      const { headers } = await wall.get(path);
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  test('every response names its type and charset, and there are no listings, other files or TRACE', async () => {
    const typeOf = async (path: string) => String((await wall.get(path)).headers['content-type']);
    assert.equal(await typeOf('/'), 'text/html; charset=utf-8');
    assert.equal(await typeOf('/api/v1/posts'), 'application/json; charset=utf-8');
    for (const path of ['/assets', '/assets/..%2f..%2fpackage.json', '/.git/config', '/package.json'])
      assert.equal((await wall.get(path)).status, 404, path);
    assert.ok((await wall.app.inject({ method: 'TRACE' as 'GET', url: '/' })).statusCode >= 400);
  });

  test('no Strict-Transport-Security on plain HTTP', async () => {
    await using plain = await openWall('sqlite');
    assert.equal((await plain.get('/')).headers['strict-transport-security'], undefined);
  });

  test('the policy contains the hashes of all inline scripts and styles, and there is no other inline code', async () => {
    const { text, headers } = await wall.get('/');
    const inline = [...text.matchAll(/<script(?![^>]*(?:src=|application\/json))[^>]*>([^]*?)<\/script>/g)];
    const styles = [...text.matchAll(/<style[^>]*>([^]*?)<\/style>/g)];
    const directive = (name: string) =>
      new RegExp(`${name} ([^;]+);`).exec(String(headers['content-security-policy']))![1]!;
    for (const [found, allowed] of [
      [inline, directive('script-src')],
      [styles, directive('style-src')],
    ] as const) {
      assert.ok(found.length > 0);
      const listed = allowed.split(' ');
      assert.deepEqual(listed, [...new Set(listed)]);
      for (const [, code] of found) assert.ok(allowed.includes(`'sha256-${hash('sha256', code!, 'base64')}'`));
    }
    assert.doesNotMatch(text, /\sstyle=|\son\w+=/);
  });

  test('responses are compressed as the client accepts and validated by their ETag', async () => {
    const plain = await wall.get('/api/v1/posts');
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const response = await wall.app.inject({ url: '/api/v1/posts', headers: { 'accept-encoding': accepted } });
      assert.equal(response.headers['content-encoding'], encoding);
      assert.equal(response.headers['vary'], 'accept-encoding');
      assert.ok(response.rawPayload.length < plain.text.length / 2);
      assert.equal(unpack(response.rawPayload).toString(), plain.text);
    }
    for (const [accepted, encoding] of [
      ['br;q=0', undefined],
      ['br; q=0.000, gzip', 'gzip'],
      ['gzip;q=0 ,br;q=0', undefined],
      ['gzip;q=0,BR;q=0.5', 'br'],
      ['abr, brotli, x-gzip', undefined],
      ['identity', undefined],
    ] as const) {
      const { headers } = await wall.app.inject({ url: '/api/v1/posts', headers: { 'accept-encoding': accepted } });
      assert.equal(headers['content-encoding'], encoding, accepted);
    }
    const etag = String(plain.headers['etag']);
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const again = await wall.get('/api/v1/posts', { 'if-none-match': known });
      assert.deepEqual([again.status, again.text, again.headers['vary']], [304, '', 'accept-encoding'], known);
    }
    // The second response comes from the fast path.
    for (let i = 0; i < 2; i += 1) assert.equal((await wall.get('/', { 'if-none-match': '*' })).status, 304);
    assert.equal((await wall.get('/', { 'if-none-match': '"other"' })).status, 200);
    assert.equal((await wall.get('/nothing', { 'if-none-match': '*' })).status, 404);
  });

  test('brotli is nowhere larger than gzip', async () => {
    const sizeOf = async (response: Promise<LightMyRequestResponse>) => (await response).rawPayload.length;
    const asked = (accepted: string, url: string) =>
      wall.app.inject({ url, headers: { accept: 'text/html', 'accept-encoding': accepted } });
    const paths = [
      '/',
      '/posts/1',
      '/users/anna_petrova',
      '/search',
      '/about',
      '/nothing',
      '/sign-in',
      '/api/v1/posts',
    ];
    for (const path of paths) assert.ok((await sizeOf(asked('br', path))) < (await sizeOf(asked('gzip', path))), path);
    // The list of a person with a like is compressed for this person alone.
    const boris = await register(wall);
    await boris.send('POST', '/posts/1/likes');
    const list = (accepted: string) => boris.send('GET', '/posts', undefined, { 'accept-encoding': accepted });
    assert.ok((await sizeOf(list('br'))) < (await sizeOf(list('gzip'))));
  });

  test('pages of any origin may show icons and the preview image, but nothing else', async () => {
    const [, script] = /<script[^>]* src="([^"]+)"/.exec((await wall.get('/')).text)!;
    const policyOf = async (path: string) => (await wall.get(path)).headers['cross-origin-resource-policy'];
    for (const path of ['/share.png', '/favicon.ico', '/favicon.svg', '/icon-512.png', '/apple-touch-icon.png']) {
      assert.equal(await policyOf(path), 'cross-origin', path);
    }
    for (const path of ['/', script!, '/api/v1/posts', '/manifest.webmanifest', '/nothing.png']) {
      assert.equal(await policyOf(path), 'same-origin', path);
    }
  });

  test('assets are compressed at build time and cached for a year', async () => {
    const [, script] = /<script[^>]* src="([^"]+)"/.exec((await wall.get('/')).text)!;
    const response = await wall.app.inject({ url: script!, headers: { 'accept-encoding': 'br' } });
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-encoding'], 'br');
    assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(response.headers['content-type']), /javascript/);
    const beyond = await wall.get(script!, { range: 'bytes=99999999-' });
    assert.equal(beyond.status, 416);
    assert.match(String(beyond.headers['content-range']), /^bytes \*\/\d+$/);
    for (const hidden of ['/.vite/manifest.json', '/assets', '/assets/../ssr/entry-server.js', `${script!}.br`]) {
      assert.equal((await wall.get(hidden)).status, 404, hidden);
    }
  });
});
