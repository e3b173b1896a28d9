import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setTokenSource } from '../../../lib/api.ts';
import { createLikes } from './likes.ts';
import { createPostStore } from './post-store.ts';
import { samplePage, samplePost, sampleReply } from '../../../../test/kit/web/sample-posts.ts';

interface Sent {
  method: string;
  respond: (response: Response) => void;
}

describe('likes', () => {
  let sent: Sent[] = [];
  const send = (_: string, { method = '' }: RequestInit) =>
    new Promise<Response>((resolve) => sent.push({ method, respond: resolve }));

  before(() => {
    mock.method(globalThis, 'fetch', send);
    setTokenSource({ current: async () => 'token', replace: async () => null, onBlocked: assert.fail });
  });
  after(() => {
    mock.restoreAll();
    setTokenSource({ current: async () => null, replace: async () => null, onBlocked: assert.fail });
  });
  beforeEach(() => {
    sent = [];
  });

  test('shows a like at once and then the count of the response', async () => {
    const { likes, state } = wall();
    likes.toggle('1');
    assert.deepEqual(state(), [true, 6]);
    assert.equal(likes.isBusy('1'), true);
    await respond({ likes_count: 9 });
    assert.deepEqual(state(), [true, 9]);
    assert.equal(likes.isBusy('1'), false);
    assert.deepEqual(methods(), ['POST']);
  });

  test('keeps it when a response comes that was requested earlier', async () => {
    const { likes, store, state } = wall();
    likes.toggle('1');
    store.openList({ kind: 'feed' }, samplePage([samplePost('1', { text: 'новее', actions: { likes_count: 5 } })]));
    assert.deepEqual([state(), store.post('1')?.text], [[true, 6], 'новее']);
    store.keepPost(sampleReply('2', samplePost('1', { actions: { likes_count: 5 } })));
    assert.deepEqual(state(), [true, 6]);
    await respond({ likes_count: 6 });
  });

  test('sends one request at a time, and the last of rapid taps counts', async () => {
    const { likes, state } = wall();
    for (let tap = 0; tap < 4; tap += 1) likes.toggle('1');
    await turn();
    assert.deepEqual(methods(), ['POST']);
    await respond({ likes_count: 6 });
    assert.deepEqual(methods(), ['POST', 'DELETE']);
    await respond({ likes_count: 5 });
    assert.deepEqual(state(), [false, 5]);
    assert.deepEqual(methods(), ['POST', 'DELETE']);
  });

  test('sends nothing more when taps end in the requested state', async () => {
    const { likes, state } = wall();
    for (let tap = 0; tap < 3; tap += 1) likes.toggle('1');
    await respond({ likes_count: 6 });
    assert.deepEqual(state(), [true, 6]);
    assert.deepEqual(methods(), ['POST']);
  });

  test('returns to the server’s last state after an error and reports why', async () => {
    const { likes, state, refusals } = wall();
    likes.toggle('1');
    likes.toggle('1');
    await respond({ likes_count: 7 });
    await respond({ code: 'TOO_MANY_REQUESTS', message: 'Слишком часто.' }, 429, { 'retry-after': '20' });
    assert.deepEqual(state(), [true, 7]);
    assert.deepEqual(refusals, ['Слишком часто. Повторить можно через 20 сек.']);
    assert.equal(likes.isBusy('1'), false);
  });

  test('removes a deleted post', async () => {
    const { likes, store, refusals } = wall();
    likes.toggle('1');
    await respond({ code: 'NOT_FOUND', message: 'Ничего не найдено.' }, 404);
    assert.equal(store.post('1'), undefined);
    assert.deepEqual(refusals, ['Сообщение не найдено']);
  });

  const methods = () => sent.map(({ method }) => method);

  async function respond(body: object, status = 200, headers: Record<string, string> = {}): Promise<void> {
    await turn();
    sent.at(-1)!.respond(Response.json(body, { status, headers }));
    await turn();
    await turn();
  }
});

function wall() {
  const store = createPostStore();
  store.keepPost(samplePost('1', { actions: { likes_count: 5 } }));
  const refusals: string[] = [];
  const likes = createLikes({ store, onRefused: (reason) => refusals.push(reason) });
  const state = () => {
    const { is_liked, likes_count } = store.post('1')!.actions;
    return [is_liked, likes_count];
  };
  return { store, likes, refusals, state };
}
