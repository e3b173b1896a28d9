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
DELETE /sessions/current · GET /users/{username} · GET /mail/{id} · GET /events
GET /users/current/export · POST /users/current/deletion · POST /users/current/deletion/{id}/verify
GET /users/current/answers · PUT /users/current/answers/read · GET /users/current/mutes · PUT /users/current/mutes/{id}
DELETE /users/current/mutes/{id} · GET /posts/hidden`;

test('OpenAPI describes the whole contract, and all of it is served', async (t) => {
  const wall = await openWall('sqlite');
  t.after(wall.close);
  const { json } = await wall.get('/api/v1/openapi.json');
  const described = Object.entries<object>(json.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  );
  assert.deepEqual(
    described.toSorted(),
    calls
      .trim()
      .split(/ · |\n/)
      .toSorted(),
  );
  for (const call of described) {
    const [method, path] = call.split(' ') as ['GET', string];
    const url = `/api/v1${path.replace(/\{\w+\}/, '1')}`;
    const { statusCode } = await wall.app.inject({ method, url, payload: {} });
    assert.ok(statusCode !== 404 || method === 'GET', call);
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
});
