import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportedPost } from '#contract/moderation.ts';
import { createQueue } from './queue-list.ts';

const reportedPost = (id: number): ReportedPost => ({
  post_id: String(id),
  text: `запись ${id}`,
  author: { id: '1', username: 'anna', is_blocked: false },
  state: 'visible',
  current_text: null,
  open: 1,
  reports: [{ by: 'boris', at: 1_000 + id, reason_id: 'spam', text: `запись ${id}`, open: true }],
  replied_post: null,
  parent_post_id: null,
});

const anywhere = () => true;

/** The queue of a server on which the given posts have open reports. */
function queueOf(ids: readonly number[]) {
  const server = { ids: [...ids], requests: 0, meanwhile: () => {} };
  const pageOf = (from: number, limit: number) => {
    const after = server.ids.filter((id) => id > from);
    const reports = after.slice(0, limit).map(reportedPost);
    return { reports, next: after.length > limit ? reports.at(-1)!.post_id : null, open: server.ids.length };
  };
  const queue = createQueue(pageOf(0, 10), async ({ state, cursor = '0', limit = '10' }) => {
    server.requests += 1;
    const page = pageOf(Number(cursor), Number(limit));
    if (state !== 'all') server.meanwhile();
    return state === 'all' ? { ...page, reports: server.ids.slice(-1).map(reportedPost) } : page;
  });
  const check = (mayChange: (postId?: string) => boolean = anywhere) => queue.check(mayChange, queue.settle);
  const shown = () =>
    queue.state.get().items.map(({ post, settled }) => (settled === null ? post.post_id : `(${post.post_id})`));
  return { server, queue, check, shown };
}

test('a check marks what others have settled and counts new reports; the list grows when they are asked for', async () => {
  const { server, queue, check, shown } = queueOf([1, 2, 3]);
  await check();
  server.ids = [1, 3, 4, 5];
  await check();
  assert.deepEqual(shown(), ['1', '(2)', '3']);
  assert.deepEqual([queue.open.get(), queue.fresh.get().length], [4, 2]);
  queue.showFresh();
  assert.deepEqual(shown(), ['1', '(2)', '3', '4', '5']);
  assert.equal(queue.fresh.get().length, 0);
});

test('a decision while the next page is loading stays', async () => {
  const { server, queue, shown } = queueOf(Array.from({ length: 12 }, (_, i) => i + 1));
  server.meanwhile = () => queue.settle('1', { text: 'Скрыто', actId: '5' });
  await queue.more();
  assert.deepEqual([shown()[0], shown().length], ['(1)', 12]);
});

test('without a change a check costs one request', async () => {
  const { server, check } = queueOf([1, 2]);
  await check();
  server.requests = 0;
  await check();
  assert.equal(server.requests, 1);
});

test('what is on the screen changes once it is out of sight', async () => {
  const { server, check, shown } = queueOf([1, 2, 3]);
  server.ids = [2];
  await check((postId) => postId !== '1');
  assert.deepEqual(shown(), ['1', '2', '(3)']);
  await check();
  assert.deepEqual(shown(), ['(1)', '2', '(3)']);
});

test('a decision during a check counts more than its responses', async () => {
  const { server, queue, check, shown } = queueOf([1, 2]);
  server.meanwhile = () => {
    queue.settle('1', { text: 'Скрыто', actId: '7' });
    server.ids = [2];
  };
  await check();
  assert.deepEqual([shown(), queue.fresh.get().length, queue.open.get()], [['(1)', '2'], 0, 1]);
  server.meanwhile = () => {};
  await check(() => false);
  await check();
  assert.deepEqual([shown(), queue.fresh.get().length, queue.open.get()], [['(1)', '2'], 0, 1]);
});

test('an empty queue fills by itself, and a post that was reported again comes back at the end', async () => {
  const { server, queue, check, shown } = queueOf([]);
  server.ids = [1, 2];
  await check();
  assert.deepEqual(shown(), ['1', '2']);
  queue.settle('1', { text: 'Жалобы закрыты', actId: '7' });
  server.ids = [2];
  await check();
  server.ids = [2, 1];
  await check();
  queue.showFresh();
  assert.deepEqual(shown(), ['2', '1']);
});

test('of a long queue the part that is loaded is compared; more of it comes by pages', async () => {
  const ids = Array.from({ length: 60 }, (_, i) => i + 1);
  const { server, queue, check, shown } = queueOf(ids);
  for (let page = 0; page < 4; page += 1) await queue.more();
  server.ids = ids.filter((id) => id !== 3 && id !== 50);
  await check();
  assert.deepEqual(
    shown().filter((id) => id.startsWith('(')),
    ['(3)', '(50)'],
  );
  assert.equal(queue.fresh.get().length, 0);
});
