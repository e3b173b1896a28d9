import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import type { Changes } from '#contract/live.ts';
import { limits } from '#contract/limits.ts';
import { createPostStore, type PostStore } from './post-store.ts';
import { keepForRestoration, showRestored } from './restored-posts.ts';
import {
  freshIn,
  sampleChanges,
  samplePage,
  samplePost,
  sampleReply,
  sampleThread,
  threadOf,
} from '../../../../test/kit/web/sample-posts.ts';
import { createStoreUpdates } from './store-updates.ts';

function storeWith() {
  const store = createPostStore();
  const updates = createStoreUpdates(store);
  const apply = (changes: Partial<Changes>) => updates.applyChanges(sampleChanges(changes), null, () => false);
  return { store, apply };
}

function removeHere(store: PostStore, id: string): void {
  keepForRestoration(store, id);
  store.removePost(id);
}

describe('a post that returns', { concurrency: false }, () => {
  test('takes its place in every list that has shown it, also next to others that were deleted', () => {
    const { store, apply } = storeWith();
    const feed = store.openList({ kind: 'feed' }, samplePage(['9', '7', '5', '3'], 'more'));
    const liked = store.openList({ kind: 'liked' }, samplePage(['9', '3', '7']));
    const user = store.openList({ kind: 'user', userId: '7' }, samplePage(['9']));
    apply({ deleted: ['9', '7', '5'] });
    assert.deepEqual(store.list(feed)!.ids, ['3']);
    apply({ restored: ['7'] });
    apply({ restored: ['9'] });
    apply({ restored: ['5'] });
    assert.deepEqual([store.list(feed)!.ids, store.list(feed)!.total], [['9', '7', '5', '3'], 4]);
    assert.deepEqual(store.list(liked)!.ids, ['9', '3', '7']);
    assert.deepEqual([store.list(user)!.ids, store.list(user)!.total], [['9', '7', '5'], 3]);
    apply({ restored: ['5'] });
    assert.equal(store.list(feed)!.total, 4, 'once');
  });

  test('finds its place in a list that was loaded meanwhile, unless that ends above it', () => {
    const { store } = storeWith();
    store.openList({ kind: 'feed' }, samplePage(['9', '7', '5']));
    removeHere(store, '7');
    removeHere(store, '5');
    const whole = store.openList({ kind: 'feed' }, samplePage(['9', '3']));
    const beginning = store.openList({ kind: 'feed' }, samplePage(['9', '6'], 'more'));
    const liked = store.openList({ kind: 'liked' }, samplePage(['9']));
    showRestored(store, '7', '7', samplePost('7', { text: 'с сервера' }));
    showRestored(store, '5', '7', samplePost('5'));
    assert.deepEqual(store.list(whole)!.ids, ['9', '7', '5', '3']);
    assert.deepEqual(store.list(beginning)!.ids, ['9', '7', '6']);
    assert.deepEqual(store.list(liked)!.ids, ['9']);
    assert.equal(store.post('7')!.text, 'с сервера');
  });

  test('is quoted and counted again, once, whichever of event and response comes first', () => {
    const { store, apply } = storeWith();
    const root = samplePost('1', { actions: { replies_count: 1 } });
    const reply = sampleReply('2', root);
    store.openList({ kind: 'feed' }, samplePage([root]));
    const own = store.openList({ kind: 'own-replies' }, samplePage([sampleReply('3', reply), reply]));
    removeHere(store, '2');
    assert.equal(store.post('3')!.actions.replied_post, null);
    assert.equal(store.post('1')!.actions.replies_count, 0);
    apply({ restored: ['2'], counts: [{ id: '1', likes_count: 0, replies_count: 1, thread_count: 2 }] });
    showRestored(store, '2', '7', reply);
    assert.equal(store.post('3')!.actions.replied_post!.id, '2');
    assert.equal(store.post('1')!.actions.replies_count, 1);
    assert.deepEqual(store.list(own)!.ids, ['3', '2']);
  });

  test('takes its place in a discussion, with the replies below it', () => {
    const { store, apply } = storeWith();
    const root = samplePost('1');
    const list = store.openList(threadOf('1'), sampleThread(root, [sampleReply('5', root), sampleReply('3', root)]));
    apply({ deleted: ['3', '5'] });
    assert.deepEqual([store.list(list)!.ids, store.list(list)!.total], [[], 0]);
    apply({ restored: ['3', '5'] });
    assert.deepEqual([store.list(list)!.ids, store.list(list)!.total], [['5', '3'], 2]);
    apply({ deleted: ['1'] });
    assert.equal(store.post('1'), undefined);
    apply({ restored: ['1'] });
    assert.equal(store.post('1')!.id, '1');
  });

  test('that was waiting to be shown is looked for again', () => {
    const { store, apply } = storeWith();
    const feed = store.openList({ kind: 'feed' }, samplePage(['1']));
    const other = store.openList({ kind: 'own-replies' }, samplePage([]));
    apply({ posts: [{ id: '4', owner_id: '7' }] });
    apply({ deleted: ['4'] });
    assert.deepEqual(freshIn(store, feed), []);
    apply({ restored: ['4'] });
    assert.deepEqual([store.list(feed)!.stale, store.list(other)!.stale], [true, false]);
  });

  test('is forgotten when its time is over', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { store, apply } = storeWith();
    const feed = store.openList({ kind: 'feed' }, samplePage(['2', '1']));
    apply({ deleted: ['2'] });
    mock.timers.tick(limits.undoDeletionSeconds * 1_000);
    apply({ restored: ['2'] });
    assert.deepEqual(store.list(feed)!.ids, ['1']);
    mock.timers.reset();
  });
});
