import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createPost, listPosts } from '../contract/posts.ts';
import { renewToken } from '../contract/sessions.ts';
import { startRegistration } from '../contract/sign-in.ts';
import { getCurrentUser } from '../contract/account.ts';
import { createClient } from './create-client.ts';

const device = { userAgent: '', userAgentVersion: '', os: '' };

const failing = (reason: unknown) => createClient({ fetch: () => Promise.reject(reason) });

test('sends what a call needs, and the token only where it is used', async () => {
  const sent: unknown[] = [];
  const fetch = async (url: string, { method, headers, body }: RequestInit) => {
    sent.push([`${method} ${url}`, headers, body]);
    return Response.json({});
  };
  const call = createClient({
    baseUrl: 'https://wall.example',
    token: 'secret',
    fetch: fetch as typeof globalThis.fetch,
  });
  const authorization = 'Bearer secret';
  const type = { 'content-type': 'application/json' };

  await call(listPosts, { query: { limit: '5', cursor: 'я' } });
  await call(getCurrentUser, {});
  await call(createPost, { body: { text: 'да' }, headers: { 'idempotency-key': 'once' } });
  await call(renewToken, { body: { clientToken: 'client' } });
  await call(startRegistration, { body: { email: 'a@b', clientToken: 'client', device } });
  assert.deepEqual(sent, [
    ['GET https://wall.example/api/v1/posts?limit=5&cursor=%D1%8F', { authorization }, undefined],
    ['GET https://wall.example/api/v1/users/current', { authorization }, undefined],
    ['POST https://wall.example/api/v1/posts', { 'idempotency-key': 'once', authorization, ...type }, '{"text":"да"}'],
    ['PATCH https://wall.example/api/v1/sessions/current', type, '{"clientToken":"client"}'],
    [
      'POST https://wall.example/api/v1/registrations',
      type,
      JSON.stringify({ email: 'a@b', clientToken: 'client', device }),
    ],
  ]);
});

test('a refusal is an error with the code, the message and the time to wait', async () => {
  const respond = (body: unknown, init: ResponseInit) =>
    createClient({ fetch: async () => new Response(body as string, init) })(listPosts, { query: {} });
  const limited = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
  await assert.rejects(respond(JSON.stringify(limited), { status: 429, headers: { 'retry-after': '40' } }), {
    ...limited,
    status: 429,
    retryAfter: 40,
  });
  await assert.rejects(respond('<h1>Bad Gateway</h1>', { status: 502 }), {
    code: 'INTERNAL',
    status: 502,
    retryAfter: null,
  });
});

test('tells a missing network from an aborted call', async () => {
  await assert.rejects(failing(new TypeError('fetch failed'))(listPosts, { query: {} }), {
    code: 'OFFLINE',
    status: 0,
  });
  const reason = new TypeError('no longer needed');
  await assert.rejects(failing(reason)(listPosts, { query: {}, signal: AbortSignal.abort(reason) }), reason);
});

test('a call ends when there is no response in time', async (t: TestContext) => {
  t.mock.method(AbortSignal, 'timeout', () => AbortSignal.abort());
  await assert.rejects(failing(new Error('aborted'))(listPosts, { query: {} }), { code: 'TIMEOUT', status: 0 });
});
