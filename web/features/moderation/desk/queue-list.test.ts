import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportedPost } from '#contract/moderation.ts';
import { createQueue } from './queue-list.ts';

const reportedPost = (id: number): ReportedPost => ({
  post_id: String(id),
  text: `запись ${id}`,
  author: { id: '1', username: 'anna', display_name: null, is_blocked: false },
  state: 'visible',
  current_text: null,
  open: 1,
  reports: [{ by: 'boris', at: 1_000 + id, reason_id: 'spam', comment: null, text: `запись ${id}`, open: true }],
  replied_post: null,
  parent_post_id: null,
});

const numbers = (length: number): number[] => Array.from({ length }, (_, i) => i + 1);

/** The queue of a server on which the given posts have open reports. */
function queueOf(ids: readonly number[]) {
  const server = { ids: [...ids], meanwhile: () => {} };
  const pageOf = (from: number, limit: number) => {
    const after = server.ids.filter((id) => id > from);
    const reports = after.slice(0, limit).map(reportedPost);
    return {
      reports,
      next: after.length > limit ? reports.at(-1)!.post_id : null,
      open: server.ids.length,
      settled: 0,
    };
  };
  const queue = createQueue(pageOf(0, 10), async ({ cursor = '0', limit = '10' }) => {
    const page = pageOf(Number(cursor), Number(limit));
    server.meanwhile();
    return page;
  });
  const shown = () => queue.state.get().items.map(({ post_id: id }) => Number(id));
  const settle = (id: number) => {
    server.ids = server.ids.filter((other) => other !== id);
    return queue.settle(reportedPost(id), ({ post_id: other }) => other === String(id));
  };
  return { server, queue, shown, settle };
}

test('a decision loads the list again as far as it is shown, and goes on with the next post or the one before', async () => {
  const { server, queue, shown, settle } = queueOf(numbers(25));
  await queue.more();
  server.ids = server.ids.filter((id) => id !== 2);
  assert.equal((await settle(1))?.post_id, '2');
  assert.deepEqual(shown(), numbers(25).slice(2));
  assert.equal(queue.state.get().open, 23);
  assert.equal((await settle(25))?.post_id, '24');
});

test('new reports are counted without changing the list, once its end is shown', async () => {
  const { server, queue, shown } = queueOf(numbers(12));
  server.ids.push(13);
  await queue.check();
  assert.deepEqual([queue.state.get().fresh, queue.state.get().open], [0, 13]);
  await queue.more();
  server.ids.push(14, 15);
  await queue.check();
  assert.deepEqual([queue.state.get().fresh, queue.state.get().open, shown().length], [2, 15, 13]);
  await queue.reload();
  assert.deepEqual([queue.state.get().fresh, shown().length], [0, 15]);
});

test('an empty queue fills by itself', async () => {
  const { server, queue, shown } = queueOf([]);
  server.ids = [1, 2];
  await queue.check();
  assert.deepEqual(shown(), [1, 2]);
});

test('a page that was requested before a decision counts nothing', async () => {
  const { server, queue, settle } = queueOf([1, 2]);
  let decision: Promise<unknown> | undefined;
  server.meanwhile = () => {
    server.meanwhile = () => {};
    decision = settle(1);
  };
  await queue.check();
  await decision;
  assert.deepEqual([queue.state.get().fresh, queue.state.get().open], [0, 1]);
});

test('a decision that is taken back while the list is loading is in the list again', async () => {
  const { server, queue, shown, settle } = queueOf([1, 2]);
  let undone: Promise<unknown> | undefined;
  server.meanwhile = () => {
    server.meanwhile = () => {};
    server.ids = [1, 2];
    undone = queue.reload();
  };
  await settle(1);
  await undone;
  assert.deepEqual(shown(), [1, 2]);
});
