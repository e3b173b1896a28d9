import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  test(`pages of other origins cannot change anything on ${engine}`, async (t) => {
    const wall = await openWall(engine);
    t.after(wall.close);
    const browser = await register(wall);
    const host = { host: 'wall.local:3000' };
    const foreign = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'http://wall.local:4000' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '', origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      for (const [method, path] of [
        ['PATCH', '/sessions/current'],
        ['DELETE', '/sessions/current'],
        ['DELETE', '/sessions'],
        ['POST', '/logins'],
      ] as const) {
        const { statusCode, body } = await browser.send(
          method,
          path,
          method === 'DELETE' ? undefined : { clientToken: 'x' },
          { ...host, ...headers },
        );
        assert.equal(statusCode, 403, `${method} ${path} ${JSON.stringify(headers)} ${body}`);
      }
    }
    assert.equal((await browser.send('GET', '/users/current')).statusCode, 200);
    // A browser on plain HTTP at a private IP address sends no Sec-Fetch-Site.
    const plain = await wall.app.inject({
      method: 'PATCH',
      url: '/api/v1/sessions/current',
      headers: { ...host, origin: 'http://wall.local:3000' },
      cookies: Object.fromEntries(browser.cookies),
      payload: { clientToken: 'x' },
    });
    assert.equal(plain.statusCode, 200);
    // A program that sends neither header may use the calls that need a token.
    const program = (method: 'PATCH' | 'DELETE', url: string) =>
      wall.app.inject({
        method,
        url: `/api/v1${url}`,
        cookies: Object.fromEntries(browser.cookies),
        headers: { authorization: `Bearer ${browser.token}` },
        ...(method === 'PATCH' && { payload: { clientToken: 'x' } }),
      });
    assert.equal((await program('PATCH', '/sessions/current')).statusCode, 403);
    assert.equal((await program('DELETE', '/sessions')).statusCode, 204);
  });
}
