import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setTokenSource } from '../../lib/api.ts';
import { createUsernameFlow } from './username-flow.ts';

/** Pending calls by path, with functions that respond to them. */
const underWay = new Map<string, { respond: (status: number, body: object) => void; signal: AbortSignal }>();

const holdCall = (address: string, { signal }: RequestInit) =>
  new Promise<Response>((resolve, reject) => {
    signal!.addEventListener('abort', () => reject(signal!.reason));
    const respond = (status: number, body: object) => resolve(Response.json(body, { status }));
    underWay.set(address, { respond, signal: signal! });
  });

const validation = (username: string) => `/api/v1/users/${username}/validation`;

const nextTurns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
};

const pass = async (ms: number) => {
  mock.timers.tick(ms);
  await nextTurns();
};

async function respondTo(address: string, status: number, body: object): Promise<void> {
  underWay.get(address)!.respond(status, body);
  await nextTurns();
}

describe('the choice of a name', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(globalThis, 'fetch', holdCall);
    setTokenSource({ current: async () => 'token', replace: async () => 'token', onBlocked: assert.fail });
    underWay.clear();
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
    setTokenSource({ current: async () => null, replace: async () => null, onBlocked: assert.fail });
  });

  const saved: string[] = [];
  const newFlow = () =>
    createUsernameFlow({ current: 'user_ab12cd34', onSaved: ({ username }) => void saved.push(username) });

  test('checks a valid name once, half a second after typing', async () => {
    const flow = newFlow();
    flow.setUsername('anna_');
    await pass(499);
    flow.setUsername('anna_k');
    await pass(499);
    assert.deepEqual([flow.state.get().check, underWay.size], ['waiting', 0]);
    await pass(1);
    assert.deepEqual([flow.state.get().check, [...underWay.keys()]], ['in-progress', [validation('anna_k')]]);
    await respondTo(validation('anna_k'), 200, { available: true });
    assert.deepEqual([flow.state.get().check, flow.state.get().error], ['verified', null]);
  });

  test('rejects an invalid name at once without a request', async () => {
    const flow = newFlow();
    flow.setUsername('anna');
    assert.equal(flow.state.get().check, 'unverified');
    assert.match(flow.state.get().error!, /не меньше 5/);
    await pass(1_000);
    assert.equal(underWay.size, 0);
  });

  test('does not check the current name', async () => {
    const flow = newFlow();
    flow.setUsername('anna');
    flow.setUsername(' user_ab12cd34 ');
    await pass(1_000);
    assert.deepEqual(
      [flow.state.get().username, flow.state.get().check, flow.state.get().error, underWay.size],
      ['user_ab12cd34', 'waiting', null, 0],
    );
  });

  test('aborts a check when the name changes', async () => {
    const flow = newFlow();
    flow.setUsername('anna_k');
    await pass(500);
    flow.setUsername('anna_ka');
    await nextTurns();
    assert.equal(underWay.get(validation('anna_k'))!.signal.aborted, true);
    assert.deepEqual([flow.state.get().check, flow.state.get().error], ['waiting', null]);
  });

  test('shows the server’s message for a rejected name', async () => {
    const flow = newFlow();
    flow.setUsername('admin');
    await pass(500);
    await respondTo(validation('admin'), 400, { code: 'USERNAME_ALREADY_EXISTS', message: 'Это имя уже занято.' });
    assert.deepEqual([flow.state.get().check, flow.state.get().error], ['unverified', 'Это имя уже занято.']);
    await flow.checkAgain();
    assert.equal(flow.state.get().check, 'unverified');
  });

  test('repeats a failed check when the network is back', async () => {
    const flow = newFlow();
    flow.setUsername('anna_k');
    await pass(500);
    await respondTo(validation('anna_k'), 503, { code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' });
    assert.deepEqual([flow.state.get().check, flow.state.get().error], ['waiting', 'Сервис временно недоступен.']);
    const checked = flow.checkAgain();
    await nextTurns();
    assert.equal(flow.state.get().check, 'in-progress');
    await respondTo(validation('anna_k'), 200, { available: true });
    await checked;
    assert.equal(flow.state.get().check, 'verified');
  });

  test('repeats a failed check when the name is submitted', async () => {
    const flow = newFlow();
    flow.setUsername('anna_k');
    await pass(500);
    await respondTo(validation('anna_k'), 503, { code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' });
    const submitted = flow.save();
    await nextTurns();
    assert.deepEqual([flow.state.get().check, flow.state.get().error], ['in-progress', null]);
    await respondTo(validation('anna_k'), 200, { available: true });
    await submitted;
    assert.deepEqual([flow.state.get().check, flow.state.get().saving], ['verified', false]);
  });

  test('saves only a free name, and only once', async () => {
    const flow = newFlow();
    flow.setUsername('anna_k');
    await flow.save();
    assert.equal(underWay.size, 0);
    await pass(500);
    await respondTo(validation('anna_k'), 200, { available: true });
    const saving = [flow.save(), flow.save()];
    flow.setUsername('another');
    await nextTurns();
    assert.deepEqual([flow.state.get().saving, flow.state.get().username], [true, 'anna_k']);
    await respondTo('/api/v1/users/current/profile', 200, { id: '1', username: 'anna_k', email: 'a@example.org' });
    await Promise.all(saving);
    assert.deepEqual(saved, ['anna_k']);
  });
});
