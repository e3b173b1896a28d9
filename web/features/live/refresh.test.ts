import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { limits } from '#contract/limits.ts';
import { openStore, samplePage, samplePost, sampleReply } from '../../../test/kit/web/sample-posts.ts';
import { setTokenSource } from '../../lib/api.ts';
import type { PostListId } from '../posts/store/post-store.ts';
import { createRefresh } from './refresh.ts';

/** A wall. `responses` has the response for each end of an address, null for a 404. Other requests fail. */
function openWall(t: TestContext, responses: Record<string, unknown> = {}) {
  // A window without a right column.
  Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
  t.after(() => Reflect.deleteProperty(globalThis, 'matchMedia'));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked: string[] = [];
  t.mock.method(globalThis, 'fetch', async (address: string) => {
    asked.push(address.replace('/api/v1', ''));
    const [, body] = Object.entries(responses).find(([end]) => address.endsWith(end)) ?? [];
    if (body === undefined) throw new TypeError('Failed to fetch');
    return body === null ? Response.json({ code: 'NOT_FOUND', message: '' }, { status: 404 }) : Response.json(body);
  });
  const wall = openStore();
  const screen: { list: PostListId | null } = { list: null };
  const { refresh, refreshNow } = createRefresh({ ...wall, shownList: () => screen.list, isBusy: () => false });
  /** Looks at a list. */
  const look = async (list: PostListId | null, times = 1) => {
    screen.list = list;
    for (let i = 0; i < times; i += 1) refresh();
    for (let turns = 0; turns < 3; turns += 1) await turn();
  };
  return { ...wall, responses, asked, screen, look, refresh, refreshNow };
}

test('a list is loaded again once when it is stale, as much of it as one response holds', async (t) => {
  const response = samplePage(['3', samplePost('2', { text: 'иначе' }), '1']);
  const { store, updates, open, waiting, asked, look } = openWall(t, { 'limit=10': response });
  const list = open({ kind: 'feed' }, ['2', '1'], 'more');
  await look(list);
  assert.deepEqual(asked, []);
  updates.markAllStale();
  await look(list, 2);
  assert.deepEqual(asked, ['/posts?page=1&limit=10']);
  assert.deepEqual([store.post('2')?.text, waiting(list)], ['иначе', ['3']]);
  const ids = Array.from({ length: 120 }, (_, index) => String(200 - index));
  const long = open({ kind: 'feed' }, ids, 'more');
  updates.markStale(long);
  await look(long);
  assert.equal(asked[1], `/posts?page=1&limit=${limits.pageSizeMax}`);
});

test('the lists that say what is unread are loaded again when its number changes', async (t) => {
  const useToken = (token: string | null) =>
    setTokenSource({ current: async () => token, replace: async () => token, onBlocked: assert.fail });
  useToken('a token');
  t.after(() => useToken(null));
  const response = {
    ...samplePage(['3', '2']),
    unread: 1,
    kinds: ['mention', 'answer'],
    news: [true, false],
    roots: [],
  };
  const { store, updates, open, waiting, asked, look } = openWall(t, { 'limit=10': response });
  const [list, saved] = [open({ kind: 'notifications' }, ['2'], 'more'), open({ kind: 'saved' }, ['1'])];
  updates.markUnreadStale();
  await look(list);
  await look(saved);
  assert.deepEqual(asked, ['/users/current/notifications?page=1&limit=10']);
  assert.deepEqual(store.list(list)?.marks, { 2: { isUnread: false }, 3: { isUnread: true } });
  assert.deepEqual([waiting(list), store.noticeOf('3')?.kind], [['3'], 'mention']);
});

test('a failure makes a pause, unless the network is back', async (t) => {
  const { store, updates, open, asked, look, refreshNow, responses } = openWall(t);
  const list = open({ kind: 'feed' }, ['1'], 'more');
  updates.markAllStale();
  await look(list);
  await look(list);
  assert.equal(asked.length, 1);
  t.mock.timers.tick(limits.pollMs);
  await look(list);
  assert.equal(asked.length, 2);
  responses['limit=10'] = samplePage(['1']);
  refreshNow();
  await look(list);
  assert.deepEqual([asked.length, store.list(list)?.stale], [3, false]);
});

test('a discussion is loaded again with its post; when that is gone, its replies stay in other lists', async (t) => {
  const post = samplePost('1', { text: 'иначе' });
  const thread = { ancestors: [], skipped: 0, post, replies: [], total: 0, next: null };
  const { store, updates, openThread, asked, look, responses } = openWall(t, { 'order=newest&limit=10': thread });
  const root = samplePost('1');
  const list = openThread(root);
  updates.markAllStale();
  await look(list);
  assert.deepEqual([asked, store.post('1')?.text], [['/posts/1/thread?order=newest&limit=10'], 'иначе']);
  store.addPost(sampleReply('2', root));
  Object.assign(responses, { 'order=newest&limit=10': null, '/posts/1': null });
  updates.markAllStale();
  await look(list);
  assert.deepEqual([store.post('1'), store.post('2')?.id], [undefined, '2']);
});

test('the list that is on screen by then comes next', async (t) => {
  const { updates, open, asked, screen, look, refresh } = openWall(t, { 'limit=10': samplePage(['1']) });
  const [first, next] = [open({ kind: 'feed' }, ['1']), open({ kind: 'user', userId: '7' }, ['1'])];
  updates.markAllStale();
  screen.list = first;
  refresh();
  await look(next);
  assert.deepEqual(asked, ['/posts?page=1&limit=10', '/posts?page=1&limit=10&userId=7']);
  await look(null);
});
