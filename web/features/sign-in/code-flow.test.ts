import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#client/api-error.ts';
import { createCodeFlow, restartWithAddress } from './code-flow.ts';
import { codeIn, isWholeCode } from './code-in.ts';

class Storage extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
  removeItem = (key: string) => void this.delete(key);
}

const refusal = (code: ErrorCode, status = 400, retryAfter: number | null = null) =>
  new ApiError(code, `message of ${code}`, status, retryAfter);

describe('an action that a code sent by mail confirms', () => {
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
    createCodeFlow({
      key: 'email-change of 1',
      pauseSeconds: 60,
      async start({ email, clientToken }) {
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
      async onVerified(email) {
        confirmed.push(email);
        return null;
      },
      onError: restartWithAddress,
    });

  async function flowAtCode() {
    const flow = newFlow();
    flow.setEmail(' anna@example.org ');
    await flow.submit();
    sent.length = 0;
    return flow;
  }

  test('starts once on a double click and sends the code once at six digits', async () => {
    const flow = newFlow();
    flow.setEmail(' anna@example.org ');
    await Promise.all([flow.submit(), flow.submit()]);
    await flow.setCode('12345');
    await Promise.all([flow.setCode('123456'), flow.verify()]);
    assert.deepEqual(sent, ['start anna@example.org by this browser', 'verify 1 123456']);
    assert.deepEqual(confirmed, ['anna@example.org']);
    assert.equal(flow.state.get().busy, 'verify', 'busy until the page is left');
    assert.equal(newFlow().state.get().step, 'start', 'nothing to come back to');
  });

  test('does not send an invalid address', async () => {
    const flow = newFlow();
    flow.setEmail('anna@');
    await flow.submit();
    assert.deepEqual(sent, []);
  });

  for (const code of ['EMAIL_ALREADY_EXISTS', 'USER_NOT_FOUND', 'INVALID_REQUEST'] as const) {
    test(`${code} asks for another address, before the code and after it`, async () => {
      const flow = newFlow();
      starts = [refusal(code), null];
      verdicts = [refusal(code)];
      flow.setEmail('anna@example.org');
      await flow.submit();
      assert.deepEqual(
        [flow.state.get().step, flow.state.get().rejected, flow.state.get().error],
        ['start', true, `message of ${code}`],
      );
      flow.setEmail('vera@example.org');
      assert.deepEqual([flow.state.get().rejected, flow.state.get().error], [false, null]);
      await flow.submit();
      await flow.setCode('123456');
      assert.deepEqual(
        [flow.state.get().step, flow.state.get().rejected, flow.state.get().operation],
        ['start', true, null],
      );
      assert.equal(newFlow().state.get().step, 'start');
    });
  }

  for (const code of ['MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'] as const) {
    test(`requires a new code after ${code} and requests it with one tap`, async () => {
      const flow = await flowAtCode();
      verdicts = [refusal(code)];
      await flow.setCode('111111');
      assert.equal(flow.state.get().expired, true);
      await flow.resend();
      const { expired, code: typed, error, email } = flow.state.get();
      assert.deepEqual(
        { expired, typed, error, email },
        { expired: false, typed: '', error: null, email: ' anna@example.org ' },
      );
    });
  }

  test('waits as long as the server asks after too many requests', async () => {
    const flow = await flowAtCode();
    starts = [refusal('TOO_MANY_REQUESTS', 429, 300)];
    await flow.resend();
    assert.deepEqual(
      [flow.state.get().error, flow.state.get().operation?.pauseSeconds],
      ['message of TOO_MANY_REQUESTS Повторить можно через 5 мин.', 300],
    );
  });

  test('requests no new code for the same address while its code is valid', async () => {
    const flow = await flowAtCode();
    flow.leaveCode();
    flow.setEmail('anna@EXAMPLE.org');
    await flow.submit();
    assert.deepEqual([flow.state.get().step, flow.state.get().operation?.id, sent.length], ['code', '1', 0]);
  });

  test('returns to the code after a reload unless the person went back', async () => {
    const flow = await flowAtCode();
    assert.deepEqual([newFlow().state.get().step, newFlow().state.get().email], ['code', 'anna@example.org']);
    flow.leaveCode();
    assert.equal(newFlow().state.get().step, 'start');
  });
});

test('the code of a text is its digits, with leading zeros', () => {
  assert.equal(codeIn('код 12-34 56'), '123456');
  assert.equal(codeIn('Ваш код: 004210.'), '004210');
  assert.equal(codeIn('12345678'), '123456');
  assert.equal(codeIn('ноль'), '');
  assert.equal(codeIn('٣١٢'), '');
});

test('a code is complete at six digits', () => {
  assert.equal(isWholeCode('00000'), false);
  assert.equal(isWholeCode('000000'), true);
});
