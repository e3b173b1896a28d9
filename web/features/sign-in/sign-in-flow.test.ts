import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import type { ErrorCode } from '#contract/errors.ts';
import { createSignInFlow } from './sign-in-flow.ts';

type Prepared = { status: 200 | 201; body: unknown } | { code: ErrorCode; retryAfter?: number } | 'no network';

const sent: string[] = [];
const bodies: Array<{ invite?: string; consent?: string }> = [];
let prepared: Prepared[] = [];
let signedIn = 0;
/** Whether the browser stores the cookie of the session. */
let keepsCookies = true;

const respondToCall = async (address: string, { method, body }: RequestInit) => {
  if (address.endsWith('/sessions/current')) {
    if (keepsCookies) return Response.json({ accessToken: { token: 'token', expiresAt: 1 } });
    return Response.json({ code: 'UNAUTHORIZED', message: 'message of UNAUTHORIZED' }, { status: 401 });
  }
  const { confirmCode = '', ...rest } = JSON.parse((body as string | undefined) ?? '{}');
  bodies.push(rest);
  sent.push(`${method} ${address} ${confirmCode}`.trim());
  const response = prepared.shift();
  if (response === undefined) throw new Error(`Nobody prepared ${address}`);
  if (response === 'no network') throw new TypeError('Failed to fetch');
  if ('body' in response) return Response.json(response.body, { status: response.status });
  const headers: HeadersInit = response.retryAfter === undefined ? {} : { 'retry-after': String(response.retryAfter) };
  const status = response.code === 'TOO_MANY_REQUESTS' ? 429 : 400;
  return Response.json({ code: response.code, message: `message of ${response.code}` }, { status, headers });
};

const started = (id: string): Prepared => ({ status: 201, body: { id } });
const letIn: Prepared = { status: 200, body: { accessToken: { token: 'token', expiresAt: 1 } } };

class Storage extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}

describe('the sign-in flow', () => {
  before(() => {
    mock.method(globalThis, 'fetch', respondToCall);
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

  const newFlow = () =>
    createSignInFlow({ settings: { codeResendSeconds: 60 }, onSignedIn: () => void (signedIn += 1) });

  async function flowAtCode() {
    const flow = newFlow();
    prepared = [started('one')];
    flow.setEmail(' Anna@example.org ');
    await flow.submit();
    sent.length = 0;
    return flow;
  }

  test('starts a registration only with the consent to the present text, also for a further code', async () => {
    const [shown, present] = ['a'.repeat(64), 'b'.repeat(64)];
    const flow = createSignInFlow({ settings: { codeResendSeconds: 0, consent: shown }, onSignedIn: () => {} });
    prepared = [{ code: 'USER_NOT_FOUND' }];
    flow.setEmail('anna@example.org');
    await flow.submit();
    assert.deepEqual([flow.state.get().consent, flow.state.get().agreed], [shown, false]);
    sent.length = 0;
    await flow.register();
    assert.deepEqual(sent, []);
    assert.match(flow.state.get().consentError!, /^Без\sсогласия/);

    flow.setAgreed(true);
    const wallText = { name: 'consent', title: 'Согласие', html: '', summary: '', hash: present };
    prepared = [{ code: 'INVALID_REQUEST' }, { status: 200, body: wallText }];
    await flow.register();
    const { step, consent, agreed, consentError } = flow.state.get();
    assert.deepEqual([step, consent, agreed, consentError], ['offer', present, false, 'message of INVALID_REQUEST']);

    flow.setAgreed(true);
    prepared = [started('one'), started('two')];
    await flow.register();
    await flow.resend();
    assert.deepEqual(
      bodies.slice(-2).map((body) => body.consent),
      [present, present],
    );
    assert.equal(flow.state.get().step, 'code');
  });

  test('signs in with a known address and sends the code once at six digits', async () => {
    const flow = await flowAtCode();
    assert.equal(flow.state.get().step, 'code');
    prepared = [letIn];
    await flow.setCode('01234');
    assert.deepEqual(sent, []);
    await Promise.all([flow.setCode('код 01-23 45'), flow.setCode('0123456'), flow.verify()]);
    assert.deepEqual(sent, ['POST /api/v1/logins/one/verify 012345']);
    assert.equal(signedIn, 1);
    assert.equal(flow.state.get().busy, 'verify', 'busy until the page is gone');
  });

  test('offers an account for an unknown address', async () => {
    const flow = newFlow();
    prepared = [{ code: 'USER_NOT_FOUND' }, started('two'), letIn];
    flow.setEmail('anna@example.org');
    await flow.submit();
    assert.deepEqual([flow.state.get().step, flow.state.get().error], ['offer', null]);
    await flow.register();
    assert.deepEqual([flow.state.get().step, flow.state.get().operation?.email], ['code', 'anna@example.org']);
    await flow.setCode('123456');
    assert.deepEqual(sent, [
      'POST /api/v1/logins',
      'POST /api/v1/registrations',
      'POST /api/v1/registrations/two/verify 123456',
    ]);
  });

  test('asks for an invitation where one is required and rejects a wrong one', async () => {
    const flow = newFlow();
    const closed: Prepared = { code: 'REGISTRATION_CLOSED' };
    prepared = [{ code: 'USER_NOT_FOUND' }, closed, closed, started('two'), closed, started('three'), letIn];
    flow.setEmail('anna@example.org');
    await flow.submit();
    assert.equal(flow.state.get().invite, null);
    await flow.register();
    assert.deepEqual([flow.state.get().step, flow.state.get().invite, flow.state.get().error], ['offer', '', null]);
    flow.setInvite('ABCDE-23456');
    await flow.register();
    assert.deepEqual([flow.state.get().step, flow.state.get().error], ['offer', 'message of REGISTRATION_CLOSED']);
    flow.setInvite('ABCDE-23457');
    assert.equal(flow.state.get().error, null);
    await flow.register();
    assert.deepEqual(bodies.at(-1)?.invite, 'ABCDE-23457');
    await flow.setCode('123456');
    assert.deepEqual(
      [flow.state.get().step, flow.state.get().email, flow.state.get().error],
      ['offer', 'anna@example.org', 'message of REGISTRATION_CLOSED'],
      'somebody else used it up meanwhile',
    );
    await flow.register();
    await flow.setCode('123456');
    assert.equal(signedIn, 1);
  });

  test('shows a blocked person the reason and accepts another address', async () => {
    const flow = await flowAtCode();
    prepared = [{ code: 'ACCOUNT_BLOCKED' }];
    await flow.setCode('123456');
    assert.deepEqual([flow.state.get().step, flow.state.get().error], ['blocked', 'message of ACCOUNT_BLOCKED']);
    flow.leaveCode();
    assert.deepEqual(
      [flow.state.get().step, flow.state.get().error, flow.state.get().operation],
      ['start', null, null],
    );
  });

  test('rejects a wrong code until another digit is typed', async () => {
    const flow = await flowAtCode();
    prepared = [{ code: 'INVALID_CONFIRM_CODE' }, letIn];
    await flow.setCode('111111');
    assert.deepEqual([flow.state.get().rejected, flow.state.get().error], [true, 'message of INVALID_CONFIRM_CODE']);
    await flow.verify();
    assert.equal(sent.length, 1);
    await flow.setCode('2');
    assert.deepEqual([flow.state.get().rejected, flow.state.get().error], [false, null]);
    await flow.setCode('222222');
    assert.equal(signedIn, 1);
  });

  for (const code of ['MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'] as const) {
    test(`requires a new code after ${code} and requests it with one tap`, async () => {
      const flow = await flowAtCode();
      prepared = [{ code }, started('another')];
      await flow.setCode('111111');
      assert.equal(flow.state.get().expired, true);
      await flow.resend();
      const { expired, code: typed, error, operation } = flow.state.get();
      assert.deepEqual(
        { expired, typed, error, id: operation?.id },
        { expired: false, typed: '', error: null, id: 'another' },
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
      prepared = [letIn];
      await flow.setCode('123456');
      const { step, expired, busy, error } = flow.state.get();
      assert.deepEqual({ step, expired, busy }, { step: 'code', expired: true, busy: null });
      assert.match(error ?? '', /браузер не сохраняет cookie/);
      assert.equal(signedIn, 0);
    });
  }

  test('keeps the code without a network and sends it again', async () => {
    const flow = await flowAtCode();
    prepared = ['no network', letIn];
    await flow.setCode('123456');
    assert.deepEqual([flow.state.get().code, flow.state.get().rejected], ['123456', false]);
    await flow.verify();
    assert.equal(signedIn, 1);
  });

  test('waits as long as the server asks after too many requests', async () => {
    const flow = await flowAtCode();
    prepared = [{ code: 'TOO_MANY_REQUESTS', retryAfter: 300 }];
    await flow.resend();
    const { error, operation } = flow.state.get();
    assert.equal(error, 'message of TOO_MANY_REQUESTS Повторить можно через 5 мин.');
    assert.equal(operation?.pauseSeconds, 300);
  });

  test('requests no new code for the same address while its code is valid', async () => {
    const flow = await flowAtCode();
    flow.leaveCode();
    assert.equal(flow.state.get().step, 'start');
    flow.setEmail('anna@EXAMPLE.org');
    await flow.submit();
    assert.deepEqual([flow.state.get().step, flow.state.get().operation?.id, sent.length], ['code', 'one', 0]);
  });

  test('returns to the code after a reload', async () => {
    await flowAtCode();
    const flow = newFlow();
    flow.reopen();
    assert.deepEqual([flow.state.get().step, flow.state.get().operation?.id], ['code', 'one']);
    flow.leaveCode();
    const again = newFlow();
    again.reopen();
    assert.equal(again.state.get().step, 'start');
  });
});
