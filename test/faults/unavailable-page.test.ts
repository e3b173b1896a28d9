import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { proxies, startProxy } from '../kit/proxy.ts';

const page = readFileSync(join(import.meta.dirname, '../../deploy/unavailable.html'), 'utf8');

test('the page for browsers needs nothing from the wall', () => {
  assert.match(page, /<html lang="ru">/);
  assert.doesNotMatch(page, /\bsrc=|<link|<script|url\(|href="[^"]/);
});

describe('while the wall is down', () => {
  for (const name of proxies) {
    test(`${name} shows browsers a page, programs get JSON, and the errors of the wall itself pass`, async () => {
      const wall = createServer(({ url }, response) => {
        if (url === '/readyz') response.end('{}');
        else response.writeHead(503, { 'content-type': 'text/plain' }).end('the wall itself');
      });
      wall.listen(0, '127.0.0.1');
      await once(wall, 'listening');
      await using proxy = await startProxy(name, [(wall.address() as AddressInfo).port]);
      const asked = async (path: string, method = 'GET') => {
        const response = await fetch(`${proxy.address}${path}`, { method });
        const type = response.headers.get('content-type');
        return { status: response.status, type, headers: response.headers, text: await response.text() };
      };
      for (const path of ['/', '/api/v1/posts']) {
        const { status, text } = await asked(path);
        assert.deepEqual([status, text], [503, 'the wall itself'], path);
      }

      wall.close();
      wall.closeAllConnections();
      for (const [path, method] of [
        ['/', 'GET'],
        ['/posts/1?page=2', 'GET'],
        ['/api', 'GET'],
        ['/posts/1/reply', 'POST'],
      ] as const) {
        const { status, type, headers, text } = await asked(path, method);
        assert.deepEqual([status, type, text === page], [503, 'text/html; charset=utf-8', true], `${method} ${path}`);
        assert.deepEqual([headers.get('retry-after'), headers.get('cache-control')], ['5', 'no-store']);
      }
      for (const method of ['GET', 'POST']) {
        const { status, type, text } = await asked('/api/v1/posts?page=1', method);
        assert.deepEqual([status, type], [503, 'application/json; charset=utf-8'], method);
        assert.equal((JSON.parse(text) as { code: string }).code, 'UNAVAILABLE');
      }
    });
  }
});

describe('without TLS', () => {
  for (const name of proxies) {
    test(`${name} sends browsers to https and refuses programs`, async () => {
      const wall = createServer((_, response) => void response.end('{}')).listen(0, '127.0.0.1');
      await once(wall, 'listening');
      await using proxy = await startProxy(name, [(wall.address() as AddressInfo).port]);
      const asked = (path: string) => fetch(`http://127.0.0.1:${proxy.redirectPort}${path}`, { redirect: 'manual' });
      const moved = await asked('/posts/1?page=2');
      assert.equal(moved.status, 301);
      assert.match(moved.headers.get('location')!, /^https:\/\/[^/]+\/posts\/1\?page=2$/);
      const call = await asked('/api/v1/posts');
      assert.deepEqual([call.status, call.headers.get('content-type')], [403, 'application/json; charset=utf-8']);
      assert.equal(((await call.json()) as { code: string }).code, 'FORBIDDEN');
      wall.close();
      wall.closeAllConnections();
    });
  }
});
