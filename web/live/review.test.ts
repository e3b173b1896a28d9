import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { setTokenSource } from '../lib/api.ts';
import type { PostListSource } from '../posts/post-list-state.ts';
import { createPostStore, type PostListId } from '../posts/post-store.ts';
import { freshIn, samplePage, samplePost } from '../posts/sample-posts.ts';
import { createReview } from './review.ts';

let asked: string[] = [];
/** By the end of their addresses; whatever else is asked for finds no network. */
let answers: Record<string, unknown> = {};

beforeEach(() => {
  asked = [];
  answers = {};
});

function reviewOf({ mock }: TestContext, source: PostListSource, ids: string[]) {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(globalThis, 'fetch', async (address: string) => {
    asked.push(address.replace('/api/v1', ''));
    const answer = Object.entries(answers).find(([end]) => address.endsWith(end))?.[1];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer === 'missing'
      ? Response.json({ code: 'NOT_FOUND', message: '' }, { status: 404 })
      : Response.json(answer);
  });
  const store = createPostStore();
  const list = store.openList(source, samplePage(ids, 'more'));
  const screen: { list: PostListId | null } = { list };
  return { store, list, screen, ...createReview({ store, shownList: () => screen.list, isBusy: () => false }) };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((done) => setImmediate(done));
}

test('what nobody doubts is not read anew', async (t) => {
  const { review } = reviewOf(t, { kind: 'feed' }, ['2', '1']);
  review();
  await settled();
  assert.deepEqual(asked, []);
});

test('a doubted list is read anew once', async (t) => {
  answers = { 'limit=10': samplePage(['3', samplePost('2', { text: 'иначе' }), '1']) };
  const { store, list, review } = reviewOf(t, { kind: 'feed' }, ['2', '1']);
  store.doubtAll();
  review();
  review();
  await settled();
  assert.deepEqual(asked, ['/posts?page=1&limit=10']);
  assert.equal(store.post('2')?.text, 'иначе');
  assert.deepEqual(freshIn(store, list), ['3']);
});

test('of answers there may be others: their list alone is read anew, and new ones wait', async (t) => {
  const token = async () => 'a token';
  setTokenSource({ current: token, insteadOf: token, turnedAway: assert.fail });
  answers = { 'limit=10': { ...samplePage(['3', '2']), unread: 1 } };
  const { store, list, screen, review } = reviewOf(t, { kind: 'answers' }, ['2']);
  const feed = store.openList({ kind: 'feed' }, samplePage(['1']));
  store.doubtAnswers();
  review();
  await settled();
  screen.list = feed;
  review();
  await settled();
  assert.deepEqual(asked, ['/users/current/answers?page=1&limit=10']);
  assert.deepEqual(freshIn(store, list), ['3']);
});

test('of a long list as much is read as one answer holds', async (t) => {
  const ids = Array.from({ length: 120 }, (_, index) => String(200 - index));
  const { store, review } = reviewOf(t, { kind: 'feed' }, ids);
  store.doubtAll();
  review();
  await settled();
  assert.deepEqual(asked, [`/posts?page=1&limit=${limits.pageSizeMax}`]);
});

test('after a failure it rests, unless the network is back', async (t) => {
  const { store, list, review, reviewNow } = reviewOf(t, { kind: 'feed' }, ['1']);
  store.doubtAll();
  review();
  await settled();
  review();
  await settled();
  assert.equal(asked.length, 1);
  t.mock.timers.tick(limits.pollMs);
  await settled();
  assert.equal(asked.length, 2);
  answers = { 'limit=10': samplePage(['1']) };
  reviewNow();
  await settled();
  assert.deepEqual([asked.length, store.list(list)?.stale], [3, false]);
});

test('the page of a post reads the post too', async (t) => {
  answers = { 'limit=10': samplePage([]), '/posts/1': samplePost('1', { text: 'иначе' }) };
  const { store, review } = reviewOf(t, { kind: 'replies', postId: '1' }, []);
  store.keepPost(samplePost('1'));
  store.doubtAll();
  review();
  await settled();
  assert.equal(store.post('1')?.text, 'иначе');
});

test('of a post that is gone the replies stay what they are elsewhere', async (t) => {
  answers = { 'limit=10': 'missing', '/posts/1': 'missing' };
  const { store, review } = reviewOf(t, { kind: 'replies', postId: '1' }, ['2']);
  store.keepPost(samplePost('1'));
  store.doubtAll();
  review();
  await settled();
  assert.equal(store.post('1'), undefined);
  assert.ok(store.post('2'));
});

test('a list that has come on screen meanwhile is next', async (t) => {
  answers = { 'limit=10': samplePage(['1']) };
  const { store, screen, review } = reviewOf(t, { kind: 'feed' }, ['1']);
  const next = store.openList({ kind: 'user', userId: '7' }, samplePage(['1']));
  store.doubtAll();
  review();
  screen.list = next;
  review();
  await settled();
  assert.deepEqual(asked, ['/posts?page=1&limit=10', '/posts?page=1&limit=10&userId=7']);
  screen.list = null;
  review();
});
