import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWall } from '../../test/wall.ts';

/** Section 7 of the specification and, beyond it, the author's page, the state of a mail and events. */
const calls = `
PATCH /sessions/current · POST /registrations · POST /registrations/{id}/verify · POST /logins · POST /logins/{id}/verify
GET /users/current · PUT /users/current/email · PUT /users/current/email/{id}/verify · GET /users/{username}/validation
PATCH /users/current/profile · GET /posts · GET /posts/{id} · POST /posts · PATCH /posts/{id} · DELETE /posts/{id}
POST /posts/{id}/likes · DELETE /posts/{id}/likes · GET /posts/{id}/replies · GET /posts/replies · POST /posts/{id}/replies
POST /posts/{id}/reports · GET /reports/reasons · GET /sessions · DELETE /sessions/{id} · DELETE /sessions
DELETE /sessions/current · GET /users/{username} · GET /mail/{id} · GET /events`;

test('OpenAPI describes the whole contract and says what is not served yet', async () => {
  const wall = await openWall('sqlite');
  const { json } = await wall.get('/api/v1/openapi.json');
  const described = Object.entries<Record<string, { 'x-planned'?: boolean }>>(json.paths).flatMap(
    ([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        call: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
        planned: operation['x-planned'] === true,
      })),
  );
  assert.deepEqual(
    described.map(({ call }) => call).toSorted(),
    calls
      .trim()
      .split(/ · |\n/)
      .toSorted(),
  );
  const planned = described.filter((call) => call.planned).map(({ call }) => call);
  assert.ok(planned.includes('PATCH /users/current/profile'));
  for (const { call } of described) {
    const [method, path] = call.split(' ') as ['GET', string];
    const { statusCode } = await wall.app.inject({
      method,
      url: `/api/v1${path.replace(/\{\w+\}/, '1')}`,
      payload: {},
    });
    assert.equal(statusCode === 404 && method !== 'GET', planned.includes(call) && method !== 'GET', call);
  }
  const list = json.paths['/api/v1/posts'].get;
  assert.deepEqual(
    list.parameters.map(({ name }: { name: string }) => name),
    ['page', 'limit', 'cursor', 'userId', 'filter'],
  );
  const publish = json.paths['/api/v1/posts'].post;
  assert.deepEqual(
    publish.parameters.map(({ name, in: place, required }: Record<string, unknown>) => [name, place, required]),
    [['idempotency-key', 'header', false]],
  );
  assert.deepEqual(Object.keys(list.responses).toSorted(), ['200', '400', '401', '429', '500', '503']);
  await wall.close();
});
