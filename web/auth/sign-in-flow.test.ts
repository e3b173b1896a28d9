import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import type { ErrorCode } from '#contract/errors.ts';
import { createSignInFlow } from './sign-in-flow.ts';

type Answer = { status: 200 | 201; body: unknown } | { code: ErrorCode; retryAfter?: number } | 'no network';

const sent: string[] = [];
const bodies: Array<{ invite?: string }> = [];
let answers: Answer[] = [];
let signedIn = 0;
/** Whether the browser stores the cookie of the session. */
let keepsCookies = true;

const answerCall = async (address: string, { method, body }: RequestInit) => {
  if (address.endsWith('/sessions/current')) {
    if (keepsCookies) return Response.json({ accessToken: { token: 'token', expiresAt: 1 } });
    return Response.json({ code: 'UNAUTHORIZED', message: 'message of UNAUTHORIZED' }, { status: 401 });
  }
  const { confirmCode = '' } = JSON.parse(body as string);
  bodies.push(JSON.parse(body as string));
  sent.push(`${method} ${address} ${confirmCode}`.trim());
  const answer = answers.shift();
  if (answer === undefined) throw new Error(`Nobody answers ${address}`);
  if (answer === 'no network') throw new TypeError('Failed to fetch');
  if ('body' in answer) return Response.json(answer.body, { status: answer.status });
  const headers: HeadersInit = answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) };
  const status = answer.code === 'TOO_MANY_REQUESTS' ? 429 : 400;
  return Response.json({ code: answer.code, message: `message of ${answer.code}` }, { status, headers });
};

const started = (id: string): Answer => ({ status: 201, body: { id } });
const letIn: Answer = { status: 200, body: { accessToken: { token: 'token', expiresAt: 1 } } };

class Storage extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}

describe('the way in', () => {
  before(() => {
    mock.method(globalThis, 'fetch', answerCall);
    Object.defineProperty(navigator, 'cookieEnabled', { value: true, configurable: true });
  });
  after(() => {
    mock.restoreAll();
    Reflect.deleteProperty(globalThis, 'window');
    Reflect.deleteProperty(navigator, 'cookieEnabled');
  });
  beforeEach(() => {
    const localStorage = new Storage([['client-token', 'this browser']]);
    Object.assign(globalThis, { window: { localStorage, sessionStorage: new Storage() } });
    sent.length = 0;
    signedIn = 0;
    keepsCookies = true;
  });

  const newFlow = () => createSignInFlow({ pauseSeconds: 60, onSignedIn: () => void (signedIn += 1) });

  async function flowAtCode() {
    const flow = newFlow();
    answers = [started('one')];
    flow.setEmail(' Anna@example.org ');
    await flow.submitEmail();
    sent.length = 0;
    return flow;
  }

  test('a known address: the code is sent once at six digits, and lets in', async () => {
    const flow = await flowAtCode();
    assert.equal(flow.state().step, 'code');
    answers = [letIn];
    await flow.setCode('01234');
    assert.deepEqual(sent, []);
    await Promise.all([flow.setCode('код 01-23 45'), flow.setCode('0123456'), flow.verify()]);
    assert.deepEqual(sent, ['POST /api/v1/logins/one/verify 012345']);
    assert.equal(signedIn, 1);
    assert.equal(flow.state().busy, 'verify', 'busy until the page is gone');
  });

  test('an unknown address is offered an account, with the same address', async () => {
    const flow = newFlow();
    answers = [{ code: 'USER_NOT_FOUND' }, started('two'), letIn];
    flow.setEmail('anna@example.org');
    await flow.submitEmail();
    assert.deepEqual([flow.state().step, flow.state().error], ['offer', null]);
    await flow.register();
    assert.deepEqual([flow.state().step, flow.state().operation?.email], ['code', 'anna@example.org']);
    await flow.setCode('123456');
    assert.deepEqual(sent, [
      'POST /api/v1/logins',
      'POST /api/v1/registrations',
      'POST /api/v1/registrations/two/verify 123456',
    ]);
  });

  test('where one comes by invitation, its code is asked for, and told when it does not fit', async () => {
    const flow = newFlow();
    const closed: Answer = { code: 'REGISTRATION_CLOSED' };
    answers = [{ code: 'USER_NOT_FOUND' }, closed, closed, started('two'), closed, started('three'), letIn];
    flow.setEmail('anna@example.org');
    await flow.submitEmail();
    assert.equal(flow.state().invite, null);
    await flow.register();
    assert.deepEqual([flow.state().step, flow.state().invite, flow.state().error], ['offer', '', null]);
    flow.setInvite('ABCDE-23456');
    await flow.register();
    assert.deepEqual([flow.state().step, flow.state().error], ['offer', 'message of REGISTRATION_CLOSED']);
    flow.setInvite('ABCDE-23457');
    assert.equal(flow.state().error, null);
    await flow.register();
    assert.deepEqual(bodies.at(-1)?.invite, 'ABCDE-23457');
    await flow.setCode('123456');
    assert.deepEqual(
      [flow.state().step, flow.state().email, flow.state().error],
      ['offer', 'anna@example.org', 'message of REGISTRATION_CLOSED'],
      'somebody else used it up meanwhile',
    );
    await flow.register();
    await flow.setCode('123456');
    assert.equal(signedIn, 1);
  });

  test('somebody who is blocked is told why, and may try another address', async () => {
    const flow = await flowAtCode();
    answers = [{ code: 'ACCOUNT_BLOCKED' }];
    await flow.setCode('123456');
    assert.deepEqual([flow.state().step, flow.state().error], ['blocked', 'message of ACCOUNT_BLOCKED']);
    flow.changeAddress();
    assert.deepEqual([flow.state().step, flow.state().error, flow.state().operation], ['email', null, null]);
  });

  test('a wrong code is told, not sent again, and forgotten with the next digit', async () => {
    const flow = await flowAtCode();
    answers = [{ code: 'INVALID_CONFIRM_CODE' }, letIn];
    await flow.setCode('111111');
    assert.deepEqual([flow.state().refused, flow.state().error], [true, 'message of INVALID_CONFIRM_CODE']);
    await flow.verify();
    assert.equal(sent.length, 1);
    await flow.setCode('2');
    assert.deepEqual([flow.state().refused, flow.state().error], [false, null]);
    await flow.setCode('222222');
    assert.equal(signedIn, 1);
  });

  for (const code of ['MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'] as const) {
    test(`after ${code} only a new code helps, and one tap brings it`, async () => {
      const flow = await flowAtCode();
      answers = [{ code }, started('another')];
      await flow.setCode('111111');
      assert.equal(flow.state().dead, true);
      await flow.resend();
      const { dead, code: typed, error, operation } = flow.state();
      assert.deepEqual(
        { dead, typed, error, id: operation?.id },
        { dead: false, typed: '', error: null, id: 'another' },
      );
    });
  }

  for (const [what, block] of [
    ['the cookie', () => void (keepsCookies = false)],
    ['what the site stores', () => void (window.localStorage.setItem = () => {})],
  ] as const) {
    test(`a browser that drops ${what} signs nobody in, and says so where a new code is asked for`, async () => {
      const flow = await flowAtCode();
      block();
      answers = [letIn];
      await flow.setCode('123456');
      const { step, dead, busy, error } = flow.state();
      assert.deepEqual({ step, dead, busy }, { step: 'code', dead: true, busy: null });
      assert.match(error ?? '', /браузер не сохраняет cookie/);
      assert.equal(signedIn, 0);
    });
  }

  test('without a network the code stays and can be sent again', async () => {
    const flow = await flowAtCode();
    answers = ['no network', letIn];
    await flow.setCode('123456');
    assert.deepEqual([flow.state().code, flow.state().refused], ['123456', false]);
    await flow.verify();
    assert.equal(signedIn, 1);
  });

  test('too many requests: the pause follows what the server asks for', async () => {
    const flow = await flowAtCode();
    answers = [{ code: 'TOO_MANY_REQUESTS', retryAfter: 300 }];
    await flow.resend();
    const { error, operation } = flow.state();
    assert.equal(error, 'message of TOO_MANY_REQUESTS Повторить можно через 5 мин.');
    assert.equal(operation?.pauseSeconds, 300);
  });

  test('back to the same address while its code counts asks for no other', async () => {
    const flow = await flowAtCode();
    flow.changeAddress();
    assert.equal(flow.state().step, 'email');
    flow.setEmail('anna@EXAMPLE.org');
    await flow.submitEmail();
    assert.deepEqual([flow.state().step, flow.state().operation?.id, sent.length], ['code', 'one', 0]);
  });

  test('a reload comes back to the code', async () => {
    await flowAtCode();
    const flow = newFlow();
    flow.open();
    assert.deepEqual([flow.state().step, flow.state().operation?.id], ['code', 'one']);
    flow.changeAddress();
    const again = newFlow();
    again.open();
    assert.equal(again.state().step, 'email');
  });
});
