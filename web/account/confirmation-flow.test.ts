import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from '../lib/api-error.ts';
import { createConfirmationFlow } from './confirmation-flow.ts';

class Storage extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}

const refusal = (code: ErrorCode, status = 400, retryAfter: number | null = null) =>
  new ApiError(code, `message of ${code}`, status, retryAfter);

describe('a change that a mailed code confirms', () => {
  let starts: (ApiError | null)[] = [];
  let verdicts: (ApiError | null)[] = [];
  const sent: string[] = [];
  const confirmed: string[] = [];

  beforeEach(() => {
    const localStorage = new Storage([['client-token', 'this browser']]);
    Object.assign(globalThis, { window: { localStorage, sessionStorage: new Storage() } });
    [starts, verdicts] = [[], []];
    sent.length = 0;
    confirmed.length = 0;
  });
  afterEach(() => void Reflect.deleteProperty(globalThis, 'window'));

  const newFlow = () =>
    createConfirmationFlow({
      key: 'email-change of 1',
      email: '',
      pauseSeconds: 60,
      async start(email, clientToken) {
        sent.push(`start ${email} by ${clientToken}`);
        const failure = starts.shift();
        if (failure) throw failure;
        return { id: String(sent.length) };
      },
      async verify({ id, email }, { confirmCode }) {
        sent.push(`verify ${id} ${confirmCode}`);
        const failure = verdicts.shift();
        if (failure) throw failure;
        return email;
      },
      onConfirmed: (email) => void confirmed.push(email),
    });

  async function flowAtCode() {
    const flow = newFlow();
    flow.setEmail(' anna@example.org ');
    await flow.submit();
    sent.length = 0;
    return flow;
  }

  test('asked for twice at once it starts once; the code is sent once at six digits', async () => {
    const flow = newFlow();
    flow.setEmail(' anna@example.org ');
    await Promise.all([flow.submit(), flow.submit()]);
    await flow.setCode('12345');
    await Promise.all([flow.setCode('123456'), flow.verify()]);
    assert.deepEqual(sent, ['start anna@example.org by this browser', 'verify 1 123456']);
    assert.deepEqual(confirmed, ['anna@example.org']);
    assert.equal(flow.state().busy, 'verify', 'busy until the page is left');
    assert.equal(newFlow().state().step, 'start', 'nothing to come back to');
  });

  test('what is no address is not sent', async () => {
    const flow = newFlow();
    flow.setEmail('anna@');
    await flow.submit();
    assert.deepEqual(sent, []);
  });

  for (const code of ['EMAIL_ALREADY_EXISTS', 'USER_NOT_FOUND', 'INVALID_REQUEST'] as const) {
    test(`${code} takes another address, before the code and after it`, async () => {
      const flow = newFlow();
      starts = [refusal(code), null];
      verdicts = [refusal(code)];
      flow.setEmail('anna@example.org');
      await flow.submit();
      assert.deepEqual(
        [flow.state().step, flow.state().refused, flow.state().error],
        ['start', true, `message of ${code}`],
      );
      flow.setEmail('vera@example.org');
      assert.deepEqual([flow.state().refused, flow.state().error], [false, null]);
      await flow.submit();
      await flow.setCode('123456');
      assert.deepEqual([flow.state().step, flow.state().refused, flow.state().operation], ['start', true, null]);
      assert.equal(newFlow().state().step, 'start');
    });
  }

  for (const code of ['MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'] as const) {
    test(`after ${code} only a new code helps, and one tap brings it`, async () => {
      const flow = await flowAtCode();
      verdicts = [refusal(code)];
      await flow.setCode('111111');
      assert.equal(flow.state().dead, true);
      await flow.resend();
      const { dead, code: typed, error, email } = flow.state();
      assert.deepEqual(
        { dead, typed, error, email },
        { dead: false, typed: '', error: null, email: ' anna@example.org ' },
      );
    });
  }

  test('too many requests: the pause follows what the server asks for', async () => {
    const flow = await flowAtCode();
    starts = [refusal('TOO_MANY_REQUESTS', 429, 300)];
    await flow.resend();
    assert.deepEqual([flow.state().error, flow.state().operation?.pauseSeconds], ['message of TOO_MANY_REQUESTS', 300]);
  });

  test('back to the same address while its code counts asks for no other', async () => {
    const flow = await flowAtCode();
    flow.leaveCode();
    flow.setEmail('anna@EXAMPLE.org');
    await flow.submit();
    assert.deepEqual([flow.state().step, flow.state().operation?.id, sent.length], ['code', '1', 0]);
  });

  test('a reload comes back to the code, unless it was left', async () => {
    const flow = await flowAtCode();
    assert.deepEqual([newFlow().state().step, newFlow().state().email], ['code', 'anna@example.org']);
    flow.leaveCode();
    assert.equal(newFlow().state().step, 'start');
  });
});
