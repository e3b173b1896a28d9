import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createSession } from '../session/session.ts';
import { setTokenSource } from '../../lib/api.ts';
import { toasts } from '../../lib/toasts.ts';
import { createMutes } from './mutes.ts';

interface Sent {
  line: string;
  respond: (response: Response) => void;
}

const oleg = { id: '7', username: 'oleg_v', display_name: null, face: null };
const vera = { id: '8', username: 'vera_s', display_name: null, face: null };

describe('the list of muted authors', () => {
  const storage = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
  let sent: Sent[] = [];
  let listeners: Array<(event: { key: string | null }) => void> = [];
  const onStorage = (event: { key: string | null }) => listeners.forEach((listener) => listener(event));

  before(() => {
    const addEventListener = (type: string, listener: typeof onStorage) => {
      if (type === 'storage') listeners.push(listener);
    };
    Object.assign(globalThis, {
      window: { localStorage },
      document: { cookie: '', querySelectorAll: () => [] },
      addEventListener,
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(globalThis, 'fetch', (address: string, { method }: RequestInit) => {
      const line = `${method} ${address.replace('/api/v1/users/current/mutes', '')}`.trim();
      return new Promise<Response>((resolve) => sent.push({ line, respond: resolve }));
    });
    setTokenSource({ current: async () => 'token', replace: async () => null, onBlocked: assert.fail });
  });
  after(() => {
    mock.timers.reset();
    mock.restoreAll();
    for (const name of ['window', 'document', 'addEventListener']) Reflect.deleteProperty(globalThis, name);
    setTokenSource({ current: async () => null, replace: async () => null, onBlocked: assert.fail });
  });
  beforeEach(() => {
    sent = [];
    listeners = [];
    storage.clear();
    document.cookie = 'signed-in=today';
    // Ends the toasts of the previous test.
    for (let ticks = 0; ticks < 4; ticks += 1) mock.timers.tick(5_000);
  });

  test('reads the stored list, but not of another sign-in', () => {
    storage.set('muted', 'today 7 8');
    assert.deepEqual([...createMutes(createSession()).state.get().authors], ['7', '8']);
    document.cookie = 'signed-in=tomorrow';
    assert.deepEqual([...createMutes(createSession()).state.get().authors], []);
  });

  test('applies and stores a change at once, shows a toast when the server has it, and undoes a rejected one', async () => {
    const mutes = createMutes(createSession());
    void mutes.change('7', true);
    await turn();
    assert.deepEqual(
      [mutes.state.get().authors.has('7'), storage.get('muted'), toasts.shown.get()],
      [true, 'today 7', null],
    );
    await respond(204);
    assert.deepEqual([lines(), toasts.shown.get()?.text], [['PUT /7'], 'Автор скрыт']);
    void mutes.change('7', false);
    await turn();
    await respond(204);
    assert.deepEqual(
      [mutes.state.get().authors.has('7'), storage.get('muted'), lines()],
      [false, 'today', ['PUT /7', 'DELETE /7']],
    );
    for (const muted of [true, false]) void mutes.change('7', muted);
    await turn();
    for (let requests = 0; requests < 2; requests += 1) await respond(204);
    void mutes.change('7', true);
    await turn();
    await respond(503, { code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' });
    assert.deepEqual([mutes.state.get().authors.has('7'), storage.get('muted')], [false, 'today']);
    assert.deepEqual(
      toasts.pending().map(({ text }) => text),
      // The toast that was no longer true is gone.
      ['Автор снова показывается', 'Сервис временно недоступен.'],
    );
  });

  test('keeps an opened post open until its author is muted again', () => {
    storage.set('muted', 'today 7');
    const mutes = createMutes(createSession());
    mutes.start();
    const first = { id: '1', owner: oleg, text: 'Опять я' };
    const second = { ...first, id: '2' };
    mutes.open(first);
    const shown = (...posts: Array<typeof first>) => {
      const { whyHidden, opened } = mutes.state.get();
      return posts.map((post) => (opened.has(post.id) ? 'opened' : (whyHidden(post)?.join('') ?? 'full'))).join();
    };
    assert.equal(shown(first, second, { ...first, id: '3', owner: vera }), 'opened,автор скрыт,full');
    for (const stored of ['today', 'today 7']) {
      storage.set('muted', stored);
      onStorage({ key: 'muted' });
    }
    assert.equal(shown(first, second), 'автор скрыт,автор скрыт');
  });

  test('takes over the server’s list except for changes here since it was requested, with the first of which it is loaded', async () => {
    storage.set('muted', 'today 7');
    const mutes = createMutes(createSession());
    const { refresh } = await mutes.sync.load();
    const asked = refresh();
    void mutes.change('9', true);
    await turn();
    await respond(200, { users: [oleg, vera] }, lines().indexOf('GET'));
    assert.deepEqual(
      [[...mutes.state.get().authors], lines()],
      [
        ['9', '7'],
        ['GET', 'PUT /9'],
      ],
    );
    await respond(204, undefined, lines().indexOf('PUT /9'));
    await respond(200, { users: [{ ...oleg, id: '9' }, vera] });
    assert.equal((await asked).map(({ id }) => id).join(), '9,8');
    assert.deepEqual([[...mutes.state.get().authors], storage.get('muted')], [['9', '8'], 'today 9 8']);
    assert.deepEqual(lines(), ['GET', 'PUT /9', 'GET']);
  });

  test('asks again if another tab has changed the list meanwhile', async () => {
    const mutes = createMutes(createSession());
    mutes.start();
    const asked = mutes.sync.load().then(({ refresh }) => refresh());
    await turn();
    storage.set('muted', 'today 7');
    onStorage({ key: 'muted' });
    await respond(200, { users: [] });
    assert.deepEqual([...mutes.state.get().authors], ['7']);
    await respond(200, { users: [oleg] });
    await asked;
    assert.equal(storage.get('muted'), 'today 7');
  });

  test('removes the list with the session, also before a late response', async () => {
    storage.set('muted', 'today 7');
    const session = createSession();
    const mutes = createMutes(session);
    mutes.start();
    const { refresh } = await mutes.sync.load();
    const asked = refresh();
    void mutes.change('8', true);
    await turn();
    document.cookie = '';
    session.endByChoice();
    assert.deepEqual([mutes.state.get().authors.size, storage.has('muted')], [0, false]);
    document.cookie = 'signed-in=tomorrow';
    await respond(503, { code: 'UNAVAILABLE', message: 'Нет' }, lines().indexOf('PUT /8'));
    await respond(200, { users: [oleg] }, lines().indexOf('GET'));
    await asked;
    assert.deepEqual([mutes.state.get().authors.size, storage.has('muted')], [0, false]);
  });

  const lines = () => sent.map(({ line }) => line);

  async function respond(status: number, body?: object, which = sent.length - 1): Promise<void> {
    sent[which]!.respond(body ? Response.json(body, { status }) : new Response(null, { status }));
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
});
