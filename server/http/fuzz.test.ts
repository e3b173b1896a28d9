import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apiPrefix } from '#contract/endpoint.ts';
import { callTable } from '#contract/calls.ts';
import { engines } from '../../test/kit/engines.ts';
import { fuzz } from '../../test/kit/fuzzing.ts';
import { targets } from '../../test/kit/hostile-requests.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { device } from '../../test/kit/sign-in.ts';
import { register } from '../../test/kit/member.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

/** The number of requests. A test of faults (test/faults) sends many more. */
const requestsOf = process.env['REQUESTS'] === 'all' ? { sqlite: 64, postgres: 32 } : { sqlite: 16, postgres: 16 };

for (const engine of engines) {
  describe(`any request whatever on ${engine}`, () => {
    let wall: Wall;
    before(async () => void (wall = await openWall(engine, { RATE_LIMITS: 'off' })));
    after(() => wall.close());

    for (const target of targets) {
      test(target.name, async () => {
        assert.deepEqual((await fuzz(wall, target, requestsOf[engine])).faults, []);
      });
    }
  });
}

onWalls({ RATE_LIMITS: 'off' })('rejects a NUL anywhere in a request', async (wall) => {
  const anna = await register(wall);
  for (const { method, path: of } of callTable.filter(({ path }) => path.includes('{'))) {
    const path = of.replace(/\{\w+\}/, 'a%00b');
    const { statusCode } = await anna.send(method, path, method === 'GET' ? undefined : {});
    assert.ok(statusCode === 404 || statusCode === 400, `${method} ${path}: ${statusCode}`);
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
