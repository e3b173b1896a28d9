import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { ApiError } from '#client/api-error.ts';
import { usesToken } from '#client/create-client.ts';
import { calls } from '#contract/calls.ts';
import { isForKeepers } from '#contract/call.ts';
import { createAccessTokens } from '../features/session/session.ts';
import { sayingOnly } from '../forms/page-module.ts';
import { call, setTokenSource } from './api.ts';
import { explainGenerally } from './explain-error.ts';
import { noteServerTime, serverNow } from './server-clock.ts';
import { noteFailure, noteResponse, noting, onRecovery, serverIsSilent } from './server-silence.ts';

const sent: string[] = [];
let valid = 'good';
let blocked: string[] = [];
let isHidden = false;

/** A server that knows one valid token and the token of a blocked person. It responds 401 to other tokens, or 404 while `isHidden`. */
const respond = async (address: string, { method, headers }: RequestInit) => {
  const { authorization } = headers as { authorization?: string };
  sent.push([method, address, authorization].filter(Boolean).join(' '));
  if (authorization === 'Bearer of the blocked') {
    return Response.json({ code: 'ACCOUNT_BLOCKED', message: 'Заблокирована.' }, { status: 403 });
  }
  if (isHidden && authorization !== `Bearer ${valid}`) {
    return Response.json({ code: 'NOT_FOUND', message: 'Ничего не найдено.' }, { status: 404 });
  }
  const refused = authorization !== undefined && authorization !== `Bearer ${valid}`;
  const body = { code: 'UNAUTHORIZED', message: 'Войдите, чтобы продолжить.' };
  return refused ? Response.json(body, { status: 401 }) : Response.json({});
};

describe('calls', () => {
  before(() => mock.method(globalThis, 'fetch', respond));
  after(() => mock.restoreAll());
  beforeEach(() => {
    sent.length = 0;
    valid = 'good';
    blocked = [];
    isHidden = false;
  });

  const speakWith = (current: string | null | Promise<never>, instead: string | null) =>
    setTokenSource({
      current: async () => current,
      replace: async () => instead,
      onBlocked: (reason) => blocked.push(reason),
    });

  const readPost = () => call('GET /posts/{id}', { params: { id: '7' } });

  test('go with the token where it is used, and without one only to what everyone reads', async () => {
    speakWith('good', null);
    await call('GET /users/current', {});
    await readPost();
    await call('PATCH /sessions/current', { body: { clientToken: 'token' } });
    await call('DELETE /sessions/current', {});
    speakWith(null, null);
    await readPost();
    await assert.rejects(call('GET /users/current', {}), { code: 'UNAUTHORIZED', status: 401 });
    speakWith(Promise.reject(new Error('no network')), null);
    await readPost();
    speakWith('worn', null);
    await readPost();
    assert.deepEqual(sent, [
      'GET /api/v1/users/current Bearer good',
      'GET /api/v1/posts/7 Bearer good',
      'PATCH /api/v1/sessions/current',
      'DELETE /api/v1/sessions/current Bearer good',
      'GET /api/v1/posts/7',
      'GET /api/v1/posts/7',
      'GET /api/v1/posts/7 Bearer worn',
      'GET /api/v1/posts/7',
    ]);
  });

  test('replace a rejected token once, every one of the contract', async () => {
    const params = { id: '7', username: 'anna', name: 'rules', code: 'x' };
    for (const [name, { access }] of Object.entries(calls)) {
      if (!usesToken(name)) continue;
      sent.length = 0;
      isHidden = isForKeepers(access);
      speakWith('worn', 'good');
      await call(name as 'GET /posts/{id}', { params });
      assert.match(sent.join(), /^[^,]+ Bearer worn,[^,]+ Bearer good$/, name);
    }
    [valid, isHidden, sent.length] = ['none', true, 0];
    await assert.rejects(call('GET /moderation/pin', {}), { code: 'NOT_FOUND' });
    isHidden = false;
    await assert.rejects(call('GET /users/current', {}), { code: 'UNAUTHORIZED' });
    assert.equal(sent.length, 4);
  });

  test('report the reason of a block and read as a visitor', async () => {
    speakWith('of the blocked', null);
    await assert.rejects(call('GET /users/current', {}), { code: 'ACCOUNT_BLOCKED', status: 403 });
    await readPost();
    assert.deepEqual(sent.slice(1), ['GET /api/v1/posts/7 Bearer of the blocked', 'GET /api/v1/posts/7']);
    assert.deepEqual(blocked, ['Заблокирована.', 'Заблокирована.']);
  });
});

describe('access tokens', () => {
  /** Access tokens whose renewals give these lifetimes in seconds. */
  function tokensFor(...lifetimes: number[]) {
    let requests = 0;
    const tokens = createAccessTokens(async () => {
      const lifetime = lifetimes[requests++];
      if (lifetime === undefined) throw new Error('no network');
      return { token: `token ${requests}`, expiresAt: serverNow() + lifetime };
    });
    return { tokens, requests: () => requests };
  }

  test('are renewed once for all waiting calls, all that were rejected with one, and after a failure', async () => {
    const { tokens, requests } = tokensFor(600, 600);
    const all = await Promise.all(Array.from({ length: 20 }, () => tokens.current()));
    assert.deepEqual([...new Set(all)], ['token 1']);
    const replaced = Promise.all([tokens.replace('token 1'), tokens.replace('token 1')]);
    assert.deepEqual(await replaced, ['token 2', 'token 2']);
    assert.equal(await tokens.replace('token 1'), 'token 2');
    assert.equal(requests(), 2);
    for (const times of [3, 4]) {
      await assert.rejects(tokens.replace('token 2'), /no network/);
      assert.equal(requests(), times);
    }
  });

  test('are renewed 20 seconds before they expire on the server’s clock', async () => {
    noteServerTime('Fri, 20 Nov 2026 10:00:00 GMT');
    const { tokens } = tokensFor(25, 15, 600);
    assert.equal(await tokens.current(), 'token 1');
    assert.equal(await tokens.current(), 'token 1');
    noteServerTime('Fri, 20 Nov 2026 10:00:10 GMT');
    assert.equal(await tokens.current(), 'token 2');
    assert.equal(await tokens.current(), 'token 3');
    assert.equal(await tokens.current(), 'token 3');
  });

  test('are taken over from the tab that has received one', async () => {
    const { tokens, requests } = tokensFor(600);
    await tokens.current();
    tokens.adopt({ token: 'from another tab', expiresAt: serverNow() + 600 });
    assert.equal(await tokens.replace('token 1'), 'from another tab');
    assert.equal(requests(), 1);
  });
});

describe('the server is silent', () => {
  const answer = (status: number, type = 'application/json; charset=utf-8') =>
    noting(Promise.resolve(new Response('', { status, headers: { 'content-type': type } })));
  const fail = (reason: Error = new TypeError('Failed to fetch')) => noting(Promise.reject(reason)).catch(() => {});
  const setOnline = (value: boolean) => Object.defineProperty(navigator, 'onLine', { value, configurable: true });

  beforeEach(() => {
    setOnline(true);
    noteResponse();
  });
  after(() => void Reflect.deleteProperty(navigator, 'onLine'));

  test('when the event stream and a request have failed, until it responds or the network is back', async (t) => {
    const window = new EventTarget();
    Object.assign(globalThis, { window });
    t.after(() => Reflect.deleteProperty(globalThis, 'window'));
    let recovered = 0;
    const stop = onRecovery(() => void (recovered += 1));
    const isNow = (silent: boolean, times: number) =>
      assert.deepEqual([serverIsSilent.get(), recovered], [silent, times]);
    await answer(200);
    noteFailure('stream');
    noteFailure('stream');
    isNow(false, 0);
    await fail();
    isNow(true, 0);
    await answer(404);
    isNow(false, 1);
    window.dispatchEvent(new Event('online'));
    isNow(false, 2);
    stop();
    window.dispatchEvent(new Event('online'));
    isNow(false, 2);
  });

  for (const [what, attempt, silent] of [
    ['without a response in time', () => fail(new DOMException('', 'TimeoutError')), true],
    ['when a proxy responds for it', () => answer(502, 'text/html'), true],
    ['not when it reports an error', () => answer(503), false],
    ['not when the request was given up', () => fail(new DOMException('', 'AbortError')), false],
  ] as const) {
    test(what, async () => {
      noteFailure('stream');
      await attempt();
      assert.equal(serverIsSilent.get(), silent);
    });
  }

  test('not without a network', async () => {
    setOnline(false);
    noteFailure('stream');
    await fail();
    assert.equal(serverIsSilent.get(), false);
  });
});

test('where the specification has no message, only what it names and how long to wait is said', async () => {
  const said = async (status: number, code: ApiError['code'], retryAfter: number | null = null) => {
    const failing = sayingOnly([400], async () => {
      throw new ApiError(code, 'Слова сервера.', status, retryAfter);
    });
    return failing({} as never, {}).catch((error: ApiError) => [error.message, explainGenerally(error)]);
  };
  const general = 'Что-то пошло не так. Попробуйте ещё раз.';
  assert.deepEqual(await said(400, 'EMAIL_ALREADY_EXISTS'), ['Слова сервера.', general]);
  for (const [status, code] of [
    [403, 'FORBIDDEN'],
    [500, 'INTERNAL'],
    [0, 'TIMEOUT'],
  ] as const)
    assert.deepEqual(await said(status, code), [general, general], code);
  assert.deepEqual(await said(429, 'TOO_MANY_REQUESTS', 60), [
    'Слова сервера.',
    'Слова сервера. Повторить можно через 1 мин.',
  ]);
});
