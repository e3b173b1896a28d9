import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createSession } from '../auth/session.ts';
import { setTokenSource } from '../lib/api.ts';
import { toasts } from '../lib/toasts.ts';
import { createMutes } from './mutes.ts';

interface Sent {
  line: string;
  answer: (response: Response) => void;
}

const oleg = { id: '7', username: 'oleg_v' };
const vera = { id: '8', username: 'vera_s' };

describe('muted authors', () => {
  const storage = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
  let sent: Sent[] = [];
  let onStorage: (event: { key: string | null }) => void = () => {};

  before(() => {
    const addEventListener = (type: string, listener: typeof onStorage) => {
      if (type === 'storage') onStorage = listener;
    };
    Object.assign(globalThis, { window: { localStorage }, addEventListener });
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(globalThis, 'fetch', (address: string, { method }: RequestInit) => {
      const line = `${method} ${address.replace('/api/v1/users/current/mutes', '')}`.trim();
      return new Promise<Response>((resolve) => sent.push({ line, answer: resolve }));
    });
    setTokenSource({ current: async () => 'token', insteadOf: async () => null, turnedAway: assert.fail });
  });
  after(() => {
    mock.timers.reset();
    mock.restoreAll();
    for (const name of ['window', 'addEventListener']) Reflect.deleteProperty(globalThis, name);
    setTokenSource({ current: async () => null, insteadOf: async () => null, turnedAway: assert.fail });
  });
  beforeEach(() => {
    sent = [];
    storage.clear();
    storage.set('signed-in', 'today');
    // Toasts of the test before.
    for (let ticks = 0; ticks < 4; ticks += 1) mock.timers.tick(5_000);
  });

  test('are known before the server is asked, those of another sign-in are not', () => {
    storage.set('muted', 'today 7 8');
    assert.deepEqual([...createMutes(createSession()).authors()], ['7', '8']);
    storage.set('signed-in', 'tomorrow');
    assert.deepEqual([...createMutes(createSession()).authors()], []);
  });

  test('a change is seen and kept at once, and told when the server has it', async () => {
    const mutes = createMutes(createSession());
    void mutes.change('7', true);
    await turn();
    assert.deepEqual([mutes.has('7'), storage.get('muted'), toasts.shown()], [true, 'today 7', null]);
    await answer(204);
    assert.deepEqual([lines(), toasts.shown()?.text], [['PUT /7'], 'Автор скрыт']);
    void mutes.change('7', false);
    await turn();
    await answer(204);
    assert.deepEqual([mutes.has('7'), storage.get('muted'), lines()], [false, 'today', ['PUT /7', 'DELETE /7']]);
  });

  test('of quick clicks the last one counts, one request at a time', async () => {
    const mutes = createMutes(createSession());
    for (const muted of [true, false, true, false]) void mutes.change('7', muted);
    await turn();
    await turn();
    assert.deepEqual(lines(), ['PUT /7']);
    await answer(204);
    assert.deepEqual(lines(), ['PUT /7', 'DELETE /7']);
    await answer(204);
    assert.deepEqual([mutes.has('7'), lines().length, toasts.shown()], [false, 2, null]);
  });

  test('refused, it is taken back, and said why', async () => {
    const mutes = createMutes(createSession());
    void mutes.change('7', true);
    await turn();
    await answer(503, { code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' });
    assert.deepEqual([mutes.has('7'), storage.get('muted')], [false, 'today']);
    assert.equal(toasts.shown()?.text, 'Сервис временно недоступен.');
  });

  test('a post whose line was opened stays open until its author is muted anew', () => {
    storage.set('muted', 'today 7');
    const mutes = createMutes(createSession());
    mutes.start();
    const [first, second] = [
      { id: '1', owner: oleg },
      { id: '2', owner: oleg },
    ];
    mutes.open(first);
    assert.deepEqual([first, second, { id: '3', owner: vera }].map(mutes.standing), ['opened', 'quiet', 'plain']);
    for (const kept of ['today', 'today 7']) {
      storage.set('muted', kept);
      onStorage({ key: 'muted' });
    }
    assert.deepEqual([first, second].map(mutes.standing), ['quiet', 'quiet']);
  });

  test('the server’s word holds, but for what was changed here since it was asked', async () => {
    storage.set('muted', 'today 7');
    const mutes = createMutes(createSession());
    const asked = mutes.refresh();
    await turn();
    void mutes.change('9', true);
    await turn();
    await answer(204);
    await answer(200, { users: [oleg, vera] }, 0);
    assert.deepEqual([...mutes.authors()], ['9', '7']);
    await answer(200, { users: [{ id: '9', username: 'denis' }, vera] });
    assert.deepEqual(
      (await asked).map(({ id }) => id),
      ['9', '8'],
    );
    assert.deepEqual([[...mutes.authors()], storage.get('muted')], [['9', '8'], 'today 9 8']);
  });

  test('are gone with the session, also where the answer comes after it', async () => {
    storage.set('muted', 'today 7');
    const session = createSession();
    const mutes = createMutes(session);
    mutes.start();
    const asked = mutes.refresh();
    void mutes.change('8', true);
    await turn();
    storage.delete('signed-in');
    session.leave();
    assert.deepEqual([mutes.authors().size, storage.has('muted')], [0, false]);
    storage.set('signed-in', 'tomorrow');
    await answer(503, { code: 'UNAVAILABLE', message: 'Нет' }, lines().indexOf('PUT /8'));
    await answer(200, { users: [oleg] }, lines().indexOf('GET'));
    await asked;
    assert.deepEqual([mutes.authors().size, storage.has('muted')], [0, false]);
  });

  const lines = () => sent.map(({ line }) => line);

  async function answer(status: number, body?: object, which = sent.length - 1): Promise<void> {
    sent[which]!.answer(body ? Response.json(body, { status }) : new Response(null, { status }));
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
});
