import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sendRaw } from '../../test/kit/send-raw.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';

describe('every failure has one form', () => {
  let wall: Wall;
  before(async () => void (wall = await openWall('sqlite')));
  after(() => wall.close());

  const isError = (json: unknown, code: string): void => {
    assert.deepEqual(Object.keys(json as object), ['code', 'message']);
    const { code: got, message } = json as { code: string; message: string };
    assert.equal(got, code);
    assert.match(message, /^[А-ЯЁ]/, 'a Russian text for people');
  };

  test('unknown paths and methods of the API', async () => {
    for (const [method, url] of [
      ['GET', '/api/v1/nothing'],
      ['GET', '/api/v1'],
      ['POST', '/api/v1/posts/1/unknown'],
      ['DELETE', '/posts/1/unknown'],
      ['PUT', '/api/v1/keep/settings/1'],
      ['DELETE', '/api/v1/moderation/reports/count'],
    ] as const) {
      const response = await wall.app.inject({ method, url });
      assert.equal(response.statusCode, 404, `${method} ${url}`);
      isError(response.json(), 'NOT_FOUND');
    }
    for (const [method, url, allow] of [
      ['PUT', '/api/v1/posts/1', 'DELETE, GET, HEAD, PATCH'],
      ['GET', '/api/v1/logins', 'POST'],
      ['DELETE', '/posts/1', 'GET, HEAD'],
      ['PUT', '/sign-in', 'GET, HEAD, POST'],
      ['POST', '/feed.xml', 'GET, HEAD'],
      ['POST', '/favicon.ico', 'GET, HEAD'],
    ] as const) {
      const response = await wall.app.inject({ method, url, payload: '{', headers: { 'content-type': 'text/xml' } });
      assert.deepEqual([response.statusCode, response.headers.allow], [405, allow], `${method} ${url}`);
      isError(response.json(), 'METHOD_NOT_ALLOWED');
    }
  });

  test('addresses that cannot be decoded', async () => {
    for (const url of ['/api/v1/posts/%ff', '/api/v1/%', '/api/v1/users/%c0%af', `/api/v1/posts/${'1'.repeat(500)}`]) {
      const response = await wall.app.inject({ method: 'GET', url });
      assert.ok([400, 404].includes(response.statusCode), `${response.statusCode} ${url}`);
      isError(response.json(), response.statusCode === 400 ? 'INVALID_REQUEST' : 'NOT_FOUND');
    }
    assert.match((await wall.get('/posts/%ff', { accept: 'text/html' })).text, /Запись не найдена/);
    assert.match((await wall.get('/%e0%a4%a', { accept: 'text/html' })).text, /Страница не существует/);
  });

  test('bodies that are too large, of another type, not JSON or with unknown fields', async () => {
    const send = (payload: string, type = 'application/json') =>
      wall.app.inject({ method: 'POST', url: '/api/v1/logins', payload, headers: { 'content-type': type } });

    const large = await send(JSON.stringify({ email: 'x'.repeat(17_000) }));
    assert.equal(large.statusCode, 413);
    isError(large.json(), 'PAYLOAD_TOO_LARGE');
    const xml = await send('<a/>', 'text/xml');
    assert.equal(xml.statusCode, 415);
    isError(xml.json(), 'INVALID_REQUEST');
    const good = { email: 'a@b.ru', clientToken: 't', device: { userAgent: 'a', userAgentVersion: '1', os: 'b' } };
    for (const body of [
      '{',
      '',
      '[]',
      '{}',
      ...[{ email: 1 }, { clientToken: 1 }, { x: 1 }, { device: { ...good.device, x: 1 } }].map((part) => ({
        ...good,
        ...part,
      })),
    ]) {
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await send(payload);
      assert.equal(response.statusCode, 400, payload);
      isError(response.json(), 'INVALID_REQUEST');
    }
  });

  test('an internal error reveals no details', async () => {
    await using broken = await openWall('sqlite');
    broken.app.get('/api/v1/fault', () => {
      throw new Error('a secret detail');
    });
    const response = await broken.app.inject('/api/v1/fault');
    assert.equal(response.statusCode, 500);
    isError(response.json(), 'INTERNAL');
    assert.doesNotMatch(response.body, /secret/);
  });

  test('an empty body is none, whatever type it names', async () => {
    const headers = { 'content-type': 'application/json' };
    const send = (method: 'POST' | 'DELETE', url: string) => wall.app.inject({ method, url, headers });
    assert.equal((await send('DELETE', '/api/v1/sessions/current')).statusCode, 204);
    assert.equal((await send('POST', '/api/v1/posts/1/likes')).statusCode, 401);
    const missing = await send('POST', '/api/v1/logins');
    assert.equal(missing.statusCode, 400);
    isError(missing.json(), 'INVALID_REQUEST');
  });

  test('bytes that are not HTTP', async () => {
    await wall.app.listen({ host: '127.0.0.1', port: 0 });
    for (const bytes of [
      'hello\r\n\r\n',
      'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`,
    ]) {
      const received = await sendRaw(wall.app, bytes);
      assert.match(received, /^HTTP\/1\.1 4\d\d /);
      assert.match(received, /\r\nx-content-type-options: nosniff\r\n/);
      assert.match(received, /\r\ncontent-security-policy: default-src 'none'; frame-ancestors 'none'\r\n/);
      isError(JSON.parse(received.split('\r\n\r\n')[1]!), 'INVALID_REQUEST');
    }
  });
});
