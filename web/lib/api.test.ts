import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { getCurrentUser } from '#contract/account.ts';
import { getPin } from '#contract/moderation.ts';
import { startLogin } from '#contract/sign-in.ts';
import { getPost } from '#contract/posts.ts';
import { renewToken } from '#contract/sessions.ts';
import { ApiError } from '#client/api-error.ts';
import { call, setTokenSource } from './api.ts';

const sent: string[] = [];
let valid = 'good';
let onBlocked: string[] = [];

/** A server that knows one valid token and the token of a blocked person, and responds 401 to others, 404 on the desk. */
const respond = async (address: string, { method, headers }: RequestInit) => {
  const { authorization } = headers as { authorization?: string };
  sent.push([method, address, authorization].filter(Boolean).join(' '));
  if (authorization === 'Bearer of the blocked') {
    return Response.json({ code: 'ACCOUNT_BLOCKED', message: 'Заблокирована.' }, { status: 403 });
  }
  if (address.includes('/moderation/') && authorization !== `Bearer ${valid}`) {
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
    onBlocked = [];
  });

  const speakWith = (current: string | null, instead: string | null) =>
    setTokenSource({
      current: async () => current,
      replace: async () => instead,
      onBlocked: (reason) => onBlocked.push(reason),
    });

  const login = {
    email: 'anna@example.org',
    clientToken: 'token',
    device: { userAgent: '', userAgentVersion: '', os: '' },
  };

  test('sends the token with calls of a signed-in person and public reading, not with sign-in', async () => {
    speakWith('good', null);
    await call(getCurrentUser, {});
    await call(getPost, { params: { id: '7' } });
    await call(startLogin, { body: login });
    await call(renewToken, { body: { clientToken: 'token' } });
    assert.deepEqual(sent, [
      'GET /api/v1/users/current Bearer good',
      'GET /api/v1/posts/7 Bearer good',
      'POST /api/v1/logins',
      'PATCH /api/v1/sessions/current',
    ]);
  });

  test('reads without a token for a visitor and does not send calls that need one', async () => {
    speakWith(null, null);
    await call(getPost, { params: { id: '7' } });
    await assert.rejects(call(getCurrentUser, {}), { code: 'UNAUTHORIZED', status: 401 });
    assert.deepEqual(sent, ['GET /api/v1/posts/7']);
  });

  test('replaces a rejected token once', async () => {
    speakWith('worn', 'good');
    await call(getCurrentUser, {});
    assert.deepEqual(sent, ['GET /api/v1/users/current Bearer worn', 'GET /api/v1/users/current Bearer good']);

    sent.length = 0;
    valid = 'none';
    await assert.rejects(call(getCurrentUser, {}), ApiError);
    assert.equal(sent.length, 2);
  });

  test('replaces the token once when a call of the desk is not found', async () => {
    speakWith('worn', 'good');
    await call(getPin, {});
    valid = 'none';
    await assert.rejects(call(getPin, {}), { code: 'NOT_FOUND' });
    assert.equal(sent.length, 4);
  });

  test('reads without a token when a rejected one cannot be replaced', async () => {
    speakWith('worn', null);
    await call(getPost, { params: { id: '7' } });
    setTokenSource({
      current: () => Promise.reject(new Error('no network')),
      replace: async () => null,
      onBlocked: assert.fail,
    });
    await call(getPost, { params: { id: '8' } });
    assert.deepEqual(sent, ['GET /api/v1/posts/7 Bearer worn', 'GET /api/v1/posts/7', 'GET /api/v1/posts/8']);
  });

  test('reports the reason of a block and reads as a visitor', async () => {
    speakWith('of the blocked', null);
    await assert.rejects(call(getCurrentUser, {}), { code: 'ACCOUNT_BLOCKED', status: 403 });
    await call(getPost, { params: { id: '7' } });
    assert.deepEqual(sent.slice(1), ['GET /api/v1/posts/7 Bearer of the blocked', 'GET /api/v1/posts/7']);
    assert.deepEqual(onBlocked, ['Заблокирована.', 'Заблокирована.']);
  });
});
