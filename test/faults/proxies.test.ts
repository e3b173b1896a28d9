import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../kit/node-process.ts';
import { proxies, startProxy } from '../kit/proxy.ts';
import { pollWithin } from '../kit/polling.ts';

const secret = 'k9dJ2mZ0';
const logged: Array<[path: string, inLog: string]> = [
  [`/claim/${secret}`, '/claim/***'],
  [`/owner/${secret}?next=/keep`, '/owner/***'],
  [`/join/${secret}`, '/join/***'],
  [`/api/v1/claims/${secret}`, '/api/v1/claims/***'],
  [`/api/v1/owner-links/${secret}`, '/api/v1/owner-links/***'],
  [`/api/v1/invitations/${secret}`, '/api/v1/invitations/***'],
  [`/feed.xml?token=${secret}`, '/feed.xml?token=***'],
  [`/unsubscribe?from=letter&token=${secret}`, 'token=***'],
  ['/posts/1?page=2', '/posts/1?page=2'],
];

const page = readFileSync(join(root, 'deploy/unavailable.html'), 'utf8');
const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** A proxy in front of a server that can be ended. */
async function behind(name: Parameters<typeof startProxy>[0], respond: RequestListener) {
  const wall = createServer(respond).listen(0, '127.0.0.1');
  await once(wall, 'listening');
  const proxy = await startProxy(name, [(wall.address() as AddressInfo).port], { plain: name === 'caddy' });
  const end = (): void => {
    wall.close();
    wall.closeAllConnections();
  };
  const dispose = async (): Promise<void> => {
    end();
    await proxy[Symbol.asyncDispose]();
  };
  return { ...proxy, end, [Symbol.asyncDispose]: dispose };
}

for (const name of [...proxies, 'caddy'] as const) {
  test(`${name} logs requests without the links and tokens that let somebody in`, async () => {
    await using proxy = await behind(name, (_, response) => void response.end('{}'));
    const ask = async () => {
      for (const [path] of logged) {
        await fetch(proxy.address + path, { headers: { referer: `${proxy.address}/join/${secret}` } });
        await fetch(`http://127.0.0.1:${proxy.redirectPort}${path}`, { redirect: 'manual' });
      }
    };
    await ask();
    const lines = await pollWithin(500, async () =>
      proxy.logged().includes('/posts/1?page=2') ? proxy.logged() : undefined,
    );
    for (const [path, inLog] of logged) assert.ok(lines.includes(inLog), `${path}\n${lines}`);
    // Proxies log errors as well.
    proxy.end();
    await ask();
    await pollWithin(500, async () => /\b50[23]\b/.test(proxy.logged()) || undefined);
    assert.ok(!proxy.logged().includes(secret), proxy.logged());
  });
}

test('the page for browsers needs nothing from the wall', () => {
  assert.match(page, /<html lang="ru">/);
  assert.doesNotMatch(page, /\bsrc=|<link|<script|url\(|href="[^"]/);
});

describe('while the wall is down', () => {
  for (const name of proxies) {
    test(`${name} shows browsers a page, programs get JSON, and the errors of the wall itself pass`, async () => {
      await using proxy = await behind(name, ({ url }, response) => {
        if (url === '/readyz') response.end('{}');
        else response.writeHead(503, { 'content-type': 'text/plain' }).end('the wall itself');
      });
      const asked = async (path: string, method = 'GET') => {
        const response = await fetch(proxy.address + path, { method });
        const text = await response.text();
        const headers = ['content-type', 'retry-after', 'cache-control'].map((header) => response.headers.get(header));
        return [response.status, text === page ? 'page' : text, ...headers];
      };
      for (const path of ['/', '/api/v1/posts'])
        assert.deepEqual((await asked(path)).slice(0, 2), [503, 'the wall itself'], path);

      proxy.end();
      for (const [path, method] of [['/'], ['/posts/1?page=2'], ['/api'], ['/posts/1/reply', 'POST']] as const)
        assert.deepEqual(await asked(path, method), [503, 'page', html, '5', 'no-store'], path);
      for (const method of ['GET', 'POST']) {
        const [status, text, type] = await asked('/api/v1/posts?page=1', method);
        assert.deepEqual([status, type, JSON.parse(String(text)).code], [503, json, 'UNAVAILABLE'], method);
      }
    });
  }
});

describe('without TLS', () => {
  for (const name of proxies) {
    test(`${name} sends browsers to https and refuses programs`, async () => {
      await using proxy = await behind(name, (_, response) => void response.end('{}'));
      const asked = (path: string) => fetch(`http://127.0.0.1:${proxy.redirectPort}${path}`, { redirect: 'manual' });
      const moved = await asked('/posts/1?page=2');
      assert.equal(moved.status, 301);
      assert.match(moved.headers.get('location')!, /^https:\/\/[^/]+\/posts\/1\?page=2$/);
      const call = await asked('/api/v1/posts');
      assert.deepEqual([call.status, call.headers.get('content-type')], [403, json]);
      assert.equal(((await call.json()) as { code: string }).code, 'FORBIDDEN');
    });
  }
});
