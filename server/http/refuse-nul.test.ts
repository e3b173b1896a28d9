import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiPrefix } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { device } from '../../test/kit/sign-in.ts';
import { engines } from '../../test/kit/engines.ts';
import { register } from '../../test/kit/member.ts';
import { openWall } from '../../test/kit/wall.ts';

for (const engine of engines) {
  test(`rejects a NUL anywhere in a request on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    const anna = await register(wall);
    for (const { endpoint } of table.filter(({ endpoint: { path } }) => path.includes('{'))) {
      const path = endpoint.path.replace(/\{\w+\}/, 'a%00b');
      const { statusCode } = await anna.send(endpoint.method, path, endpoint.method === 'GET' ? undefined : {});
      assert.ok(statusCode === 404 || statusCode === 400, `${endpoint.method} ${path}: ${statusCode}`);
    }
    assert.equal((await wall.get(`${apiPrefix}/mail/a%00?clientToken=a`)).status, 404);
    assert.equal((await wall.get(`${apiPrefix}/mail/a?clientToken=%00`)).status, 400);
    assert.equal((await wall.get(`${apiPrefix}/posts?userId=%00`)).status, 400);
    for (const [path, body] of [
      ['/logins', { email: anna.email, clientToken: '\0', device }],
      ['/logins', { email: anna.email, clientToken: 'a', device: { ...device, os: 'Linux\0' } }],
      ['/users/current/deletion', { clientToken: 'a\0' }],
    ] as const) {
      const response = await anna.send('POST', path, body);
      assert.deepEqual([response.statusCode, response.json().code], [400, 'INVALID_REQUEST'], path);
    }
  });
}
