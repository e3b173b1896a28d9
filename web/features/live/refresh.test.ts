import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { setTokenSource } from '../../lib/api.ts';
import { kindOf } from '../posts/store/fetch-notifications.ts';
import type { PostListSource } from '../posts/store/post-list-state.ts';
import { createPostStore, type PostListId } from '../posts/store/post-store.ts';
import {
  freshIn,
  samplePage,
  samplePost,
  sampleReply,
  sampleThread,
  threadOf,
} from '../../../test/kit/web/sample-posts.ts';
import { createStoreUpdates } from '../posts/store/store-updates.ts';
import { createRefresh } from './refresh.ts';

let asked: string[] = [];
/** Responses by the end of their address; all other requests fail. */
let responses: Record<string, unknown> = {};

beforeEach(() => {
  asked = [];
  responses = {};
});

function refreshOf(t: TestContext, source: PostListSource, ids: string[]) {
  const { mock } = t;
  // A window without a right column.
  Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
  t.after(() => Reflect.deleteProperty(globalThis, 'matchMedia'));
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(globalThis, 'fetch', async (address: string) => {
    asked.push(address.replace('/api/v1', ''));
    const body = Object.entries(responses).find(([end]) => address.endsWith(end))?.[1];
    if (body === undefined) throw new TypeError('Failed to fetch');
    return body === 'missing'
      ? Response.json({ code: 'NOT_FOUND', message: '' }, { status: 404 })
      : Response.json(body);
  });
  const store = createPostStore();
  const list = store.openList(source, samplePage(ids, 'more'));
  const screen: { list: PostListId | null } = { list };
  const updates = createStoreUpdates(store);
  return {
    store,
    updates,
    list,
    screen,
    ...createRefresh({ store, updates, shownList: () => screen.list, isBusy: () => false }),
  };
}

async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((done) => setImmediate(done));
}

test('does not load a list that is not stale', async (t) => {
  const { refresh } = refreshOf(t, { kind: 'feed' }, ['2', '1']);
  refresh();
  await nextTurns();
  assert.deepEqual(asked, []);
});

test('loads a stale list once', async (t) => {
  responses = { 'limit=10': samplePage(['3', samplePost('2', { text: 'иначе' }), '1']) };
  const { store, updates, list, refresh } = refreshOf(t, { kind: 'feed' }, ['2', '1']);
  updates.markAllStale();
  refresh();
  refresh();
  await nextTurns();
  assert.deepEqual(asked, ['/posts?page=1&limit=10']);
  assert.equal(store.post('2')?.text, 'иначе');
  assert.deepEqual(freshIn(store, list), ['3']);
});

test('loads only the list of notifications when their number changes', async (t) => {
  const token = async () => 'a token';
  setTokenSource({ current: token, replace: token, onBlocked: assert.fail });
  responses = { 'limit=10': { ...samplePage(['3', '2']), unread: 1, kinds: ['mention', 'answer'], roots: [] } };
  const { store, updates, list, screen, refresh } = refreshOf(t, { kind: 'notifications' }, ['2']);
  const feed = store.openList({ kind: 'feed' }, samplePage(['1']));
  updates.markNotificationsStale();
  refresh();
  await nextTurns();
  screen.list = feed;
  refresh();
  await nextTurns();
  assert.deepEqual(asked, ['/users/current/notifications?page=1&limit=10']);
  assert.deepEqual(freshIn(store, list), ['3']);
  assert.equal(kindOf('3'), 'mention');
});

test('loads as much of a long list as one response holds', async (t) => {
  const ids = Array.from({ length: 120 }, (_, index) => String(200 - index));
  const { updates, refresh } = refreshOf(t, { kind: 'feed' }, ids);
  updates.markAllStale();
  refresh();
  await nextTurns();
  assert.deepEqual(asked, [`/posts?page=1&limit=${limits.pageSizeMax}`]);
});

test('pauses after a failure unless the network is back', async (t) => {
  const { store, updates, list, refresh, refreshNow } = refreshOf(t, { kind: 'feed' }, ['1']);
  updates.markAllStale();
  refresh();
  await nextTurns();
  refresh();
  await nextTurns();
  assert.equal(asked.length, 1);
  t.mock.timers.tick(limits.pollMs);
  await nextTurns();
  assert.equal(asked.length, 2);
  responses = { 'limit=10': samplePage(['1']) };
  refreshNow();
  await nextTurns();
  assert.deepEqual([asked.length, store.list(list)?.stale], [3, false]);
});

test('loads a discussion with the post by one request', async (t) => {
  const post = samplePost('1', { text: 'иначе' });
  responses = { 'order=newest&limit=10': { ancestors: [], skipped: 0, post, replies: [], total: 0, next: null } };
  const { store, updates, refresh } = threadRefreshOf(t);
  updates.markAllStale();
  refresh();
  await nextTurns();
  assert.deepEqual(asked, ['/posts/1/thread?order=newest&limit=10']);
  assert.equal(store.post('1')?.text, 'иначе');
});

test('keeps the replies to a deleted post in other lists', async (t) => {
  responses = { 'limit=10': 'missing' };
  const { store, updates, refresh } = threadRefreshOf(t);
  updates.markAllStale();
  refresh();
  await nextTurns();
  assert.equal(store.post('1'), undefined);
  assert.ok(store.post('2'));
});

function threadRefreshOf(t: TestContext) {
  const refreshed = refreshOf(t, { kind: 'feed' }, []);
  const { store, screen } = refreshed;
  const root = samplePost('1');
  screen.list = store.openList(threadOf('1'), sampleThread(root, [sampleReply('2', root)]));
  return refreshed;
}

test('continues with the list that is on screen by then', async (t) => {
  responses = { 'limit=10': samplePage(['1']) };
  const { store, updates, screen, refresh } = refreshOf(t, { kind: 'feed' }, ['1']);
  const next = store.openList({ kind: 'user', userId: '7' }, samplePage(['1']));
  updates.markAllStale();
  refresh();
  screen.list = next;
  refresh();
  await nextTurns();
  assert.deepEqual(asked, ['/posts?page=1&limit=10', '/posts?page=1&limit=10&userId=7']);
  screen.list = null;
  refresh();
});
