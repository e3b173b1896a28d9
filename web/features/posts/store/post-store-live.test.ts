import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPostStore } from './post-store.ts';
import { createStoreUpdates } from './store-updates.ts';
import {
  freshIn,
  sampleChanges,
  samplePage,
  samplePost,
  sampleReply,
  sampleThread,
  threadOf,
} from '../../../../test/kit/web/sample-posts.ts';

const nobodyBusy = () => false;

describe('events', () => {
  test('change texts and counts wherever the post is shown, and ignore unknown posts', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    store.openList({ kind: 'feed' }, samplePage([samplePost('1', { actions: { is_liked: true } })]));
    updates.applyChanges(
      sampleChanges({
        changed: [
          { id: '1', text: 'иначе', is_modified: true },
          { id: '9', text: 'чужая', is_modified: true },
        ],
        counts: [
          { id: '1', likes_count: 4, replies_count: 2, thread_count: 2 },
          { id: '9', likes_count: 1, replies_count: 1, thread_count: 1 },
        ],
      }),
      null,
      nobodyBusy,
    );

    const { text, is_modified, actions } = store.post('1')!;
    assert.deepEqual([text, is_modified], ['иначе', true]);
    assert.deepEqual([actions.is_liked, actions.likes_count, actions.replies_count], [true, 4, 2]);
    assert.equal(store.post('9'), undefined);
  });

  test('do not change the likes of a post while its like is being sent', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    store.keepPost(samplePost('1', { actions: { is_liked: true, likes_count: 1 } }));
    const counts = [{ id: '1', likes_count: 0, replies_count: 2, thread_count: 2 }];
    updates.applyChanges(sampleChanges({ counts }), null, (id) => id === '1');

    const { likes_count, replies_count } = store.post('1')!.actions;
    assert.deepEqual([likes_count, replies_count], [1, 2]);
  });

  test('add new posts to the waiting ones of the lists they belong to', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const feed = store.openList({ kind: 'feed' }, samplePage([]));
    const thread = store.openList(threadOf('1'), sampleThread(samplePost('1')));
    const own = store.openList({ kind: 'own-replies' }, samplePage([]));
    const changes = sampleChanges({
      posts: [{ id: '5', owner_id: '7' }],
      replies: [{ id: '6', owner_id: '7', replied_post_id: '1', parent_post_id: '1' }],
    });
    updates.applyChanges(changes, '7', nobodyBusy);
    updates.applyChanges(changes, '7', nobodyBusy);

    assert.deepEqual(
      [feed, own].map((id) => freshIn(store, id)),
      [['5'], ['6']],
    );
    assert.deepEqual(store.list(thread)?.thread?.unloaded, [{ id: '6', ownerId: '7', parent: '1' }]);
    assert.deepEqual(store.list(feed)?.ids, []);
  });

  test('do not report a post that was written and deleted', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const feed = store.openList({ kind: 'feed' }, samplePage([]));
    updates.applyChanges(sampleChanges({ posts: [{ id: '5', owner_id: '7' }], deleted: ['5'] }), null, nobodyBusy);
    assert.deepEqual(freshIn(store, feed), []);
  });

  test('about deleted replies change the counts once', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const root = samplePost('1', { actions: { replies_count: 2 } });
    const thread = store.openList(threadOf('1'), sampleThread(root, [sampleReply('2', root)]));
    const counts = [{ id: '1', likes_count: 0, replies_count: 1, thread_count: 1 }];
    updates.applyChanges(sampleChanges({ deleted: ['2'], counts }), null, nobodyBusy);

    assert.deepEqual(store.list(thread)?.ids, []);
    assert.equal(store.post('1')?.actions.replies_count, 1);
  });

  test('change and remove the line of the last reply', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const owner = { id: '8', username: 'boris_p', display_name: null };
    const last_reply = { id: '2', owner, text: 'ответ', created_at: 0 };
    store.openList({ kind: 'feed' }, samplePage([samplePost('1', { last_reply }), samplePost('3')]));
    const changed = [{ id: '2', text: 'иначе', is_modified: true }];
    updates.applyChanges(sampleChanges({ changed }), null, nobodyBusy);
    assert.equal(store.post('1')?.last_reply?.text, 'иначе');
    updates.applyChanges(sampleChanges({ deleted: ['2'] }), null, nobodyBusy);
    assert.deepEqual([store.post('1')?.last_reply, store.post('3')?.last_reply], [null, undefined]);
  });

  test('with a reset make every list stale', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const lists = [store.openList({ kind: 'feed' }, samplePage([])), store.openList({ kind: 'liked' }, samplePage([]))];
    updates.applyChanges(sampleChanges({ reset: true }), null, nobodyBusy);
    assert.deepEqual(
      lists.map((id) => store.list(id)?.stale),
      [true, true],
    );
  });
});

describe('loading a list again', () => {
  test('updates shown posts, lets new ones wait and removes deleted ones everywhere', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const list = store.openList({ kind: 'feed' }, samplePage(['3', '2', '1'], 'more'));
    store.keepPost(sampleReply('9', samplePost('2')));
    updates.markStale(list);
    const before = updates.beginRefresh(list, nobodyBusy);
    assert.equal(store.list(list)?.stale, false);
    updates.refreshList(list, samplePage(['4', samplePost('3', { actions: { is_liked: true } }), '1'], 'more'), before);

    assert.deepEqual([store.list(list)?.ids, freshIn(store, list)], [['3', '1'], ['4']]);
    assert.equal(store.post('3')?.actions.is_liked, true);
    assert.equal(store.post('9')?.actions.replied_post, null);
  });

  test('takes no notification for deleted that stands below the page, whatever its id', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const list = store.openList({ kind: 'notifications' }, samplePage(['510', '500', '505', '490'], 'more'));
    const before = updates.beginRefresh(list, nobodyBusy);
    updates.refreshList(list, samplePage(['511', '500'], 'more'), before);
    assert.deepEqual(store.list(list)?.ids, ['500', '505', '490']);
  });

  test('does not remove posts that were written or shown meanwhile', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const list = store.openList({ kind: 'feed' }, samplePage(['1']));
    const before = updates.beginRefresh(list, nobodyBusy);
    store.addPost(samplePost('3'));
    updates.showNewest(list, samplePage(['2', '1']));
    updates.refreshList(list, samplePage(['1']), before);

    assert.deepEqual(store.list(list)?.ids, ['3', '2', '1']);
  });

  test('does not overwrite a text changed by an event meanwhile, but takes over the likes of the person', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const list = store.openList({ kind: 'feed' }, samplePage(['1']));
    const before = updates.beginRefresh(list, nobodyBusy);
    store.changeText('1', { text: 'новее', is_modified: true });
    updates.refreshList(list, samplePage([samplePost('1', { text: 'старое', actions: { is_liked: true } })]), before);

    assert.equal(store.post('1')?.text, 'новее');
    assert.equal(store.post('1')?.actions.is_liked, true);
  });

  test('keeps a like pressed meanwhile and one that was being sent before', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const list = store.openList({ kind: 'feed' }, samplePage(['2', '1']));
    store.changeLike('2', { is_liked: true, likes_count: 1 });
    const before = updates.beginRefresh(list, (id) => id === '2');
    store.changeLike('1', { is_liked: true, likes_count: 1 });
    updates.refreshList(list, samplePage(['2', '1']), before);

    assert.deepEqual(
      ['1', '2'].map((id) => store.post(id)?.actions.is_liked),
      [true, true],
    );
  });

  test('updates the post of a discussion too', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    store.keepPost(samplePost('1'));
    const thread = store.openList(threadOf('1'), sampleThread(samplePost('1')));
    const response = sampleThread(samplePost('1', { text: 'иначе' }));
    updates.refreshList(thread, response, updates.beginRefresh(thread, nobodyBusy));
    assert.equal(store.post('1')?.text, 'иначе');
  });

  test('updates liked posts without finding any of them deleted or new', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const list = store.openList({ kind: 'liked' }, samplePage(['3', '7', '1']));
    const before = updates.beginRefresh(list, nobodyBusy);
    updates.refreshList(list, samplePage(['9', samplePost('7', { text: 'иначе' })]), before);

    assert.deepEqual([store.list(list)?.ids, freshIn(store, list)], [['3', '7', '1'], []]);
    assert.equal(store.post('7')?.text, 'иначе');
  });

  test('takes an edited post out of the results of a search without deleting it, and lets a new match wait', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const feed = store.openList({ kind: 'feed' }, samplePage(['3', '2', '1']));
    const highlights = { 3: [[0, 2]], 1: [[0, 2]] } as const;
    const found = store.openList({ kind: 'search', q: 'за' }, { ...samplePage(['3', '1'], 'more'), highlights });
    const before = updates.beginRefresh(found, nobodyBusy);
    updates.refreshList(found, samplePage(['2', '1'], 'more'), before);
    assert.deepEqual(store.list(found)!.ids, ['1']);
    assert.deepEqual(freshIn(store, found), ['2']);
    assert.deepEqual(store.list(feed)!.ids, ['3', '2', '1']);

    updates.showNewest(found, { ...samplePage(['2', '1'], 'more'), highlights: { 2: [[3, 4]] } });
    assert.deepEqual(store.list(found)!.ids, ['2', '1']);
    assert.deepEqual(store.list(found)!.highlights, { ...highlights, 2: [[3, 4]] });
  });
});
