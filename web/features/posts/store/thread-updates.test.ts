import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openedList, type PostList } from './post-list-state.ts';
import { samplePost, sampleReply, sampleThread, threadOf } from '../../../../test/kit/web/sample-posts.ts';
import { withMore } from './thread-tree.ts';
import { withNewReply, withLoaded, withOrder, withPlaced, withRefreshed } from './thread-updates.ts';

const root = samplePost('1');

/** A discussion with the direct replies 5 and 3. */
const opened = (next: string | null = null): PostList =>
  openedList(threadOf('1'), sampleThread(root, [sampleReply('5', root), sampleReply('3', root)], next));

const afterEvent = (list: PostList, id: string, repliedPostId: string) =>
  withNewReply(list, list.thread!, { id, ownerId: '7', repliedPostId });

describe('an event about a reply', () => {
  test('is noted once if the place of the reply is known', () => {
    const list = afterEvent(afterEvent(afterEvent(opened(), '8', '5'), '8', '5'), '9', '8');
    assert.deepEqual(
      list.thread!.unloaded.map(({ id }) => id),
      ['8', '9'],
    );
  });

  test('is ignored for a post that is not loaded, and for a reply that is', () => {
    const list = opened();
    assert.equal(afterEvent(list, '8', '77'), list);
    assert.equal(afterEvent(list, '5', '1'), list);
  });

  test('only counts where further replies are not loaded', () => {
    const list = opened();
    const long = { ...list, thread: withMore(list.thread!, '5', { count: 4, cursor: 'c' }) };
    const { thread } = afterEvent(long, '8', '5');
    assert.deepEqual([thread!.unloaded, thread!.nodes.get('5')!.more], [[], { count: 5, cursor: 'c' }]);
  });

  test('only counts at the end of a list that continues, the oldest first', () => {
    const oldest = withOrder(opened('more'), opened().thread!, 'oldest');
    const list = afterEvent(oldest, '8', '1');
    assert.deepEqual([list.total, list.thread!.unloaded], [oldest.total + 1, []]);
  });
});

test('a loaded reply waits, counts as new and then takes its place', () => {
  const loaded = withLoaded(afterEvent(opened(), '8', '5'), afterEvent(opened(), '8', '5').thread!, ['8']);
  assert.deepEqual([loaded.ids, loaded.fresh], [['5', '3'], [{ id: '8', ownerId: '7' }]]);
  const placed = withPlaced(loaded, loaded.thread!, loaded.thread!.waiting[0]!);
  assert.deepEqual([placed.ids, placed.thread!.waiting, placed.total], [['5', '8', '3'], [], 2]);
  assert.equal(placed.thread!.arrived.has('8'), true);
});

test('the other order reverses direct replies alone', () => {
  const { ids, source } = withOrder(opened(), opened().thread!, 'oldest');
  assert.deepEqual([ids, source], [['3', '5'], { kind: 'thread', postId: '1', order: 'oldest' }]);
});

describe('loaded again', () => {
  const branch = (id: string) => ({ id, gone: false, replies: [], more: null });
  const shown = new Map([
    ['5', root],
    ['3', root],
  ]);
  const loadedAgain = (list: PostList, ids: string[], next: string | null) =>
    withRefreshed(list, list.thread!, { branches: ids.map(branch), next, shown, ownerOf: () => '7' });

  test('missing replies leave and new ones wait', () => {
    const refreshed = loadedAgain(opened(), ['9', '3'], null);
    assert.deepEqual([refreshed.ids, refreshed.fresh], [['3'], [{ id: '9', ownerId: '7' }]]);
  });

  test('replies below the end of the response stay', () => {
    assert.deepEqual(loadedAgain(opened(), ['5'], 'c').ids, ['5', '3']);
    assert.deepEqual(loadedAgain(opened('more'), ['9', '3'], 'c').ids, ['3']);
    const oldest = withOrder(opened(), opened().thread!, 'oldest');
    assert.deepEqual(loadedAgain(oldest, ['3'], 'c').ids, ['3', '5']);
  });

  test('the list continues where the response ends if there are more replies than known', () => {
    const list = opened();
    assert.equal(loadedAgain(list, ['5'], 'c').next, null);
    assert.equal(loadedAgain({ ...list, total: 3 }, ['5'], 'c').next, 'c');
    assert.equal(loadedAgain({ ...list, total: 3 }, ['9', '5'], 'c').next, null);
  });
});
