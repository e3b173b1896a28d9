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

describe('posts', () => {
  test('are stored once: a later response changes one in every list and quotation', () => {
    const store = createPostStore();
    store.openList({ kind: 'feed' }, samplePage([samplePost('1', { text: 'было' })]));
    const answered = samplePost('1', { text: 'стало' });
    store.openList({ kind: 'own-replies' }, samplePage([sampleReply('2', answered)]));

    assert.equal(store.post('1')?.text, 'стало');
  });

  test('a quotation leaves the known post that the quoted one answers', () => {
    const store = createPostStore();
    const second = sampleReply('2', samplePost('1'));
    store.keepPost(second);
    store.keepPost(sampleReply('3', { ...second, text: 'изменилось' }));

    assert.equal(store.post('2')?.text, 'изменилось');
    assert.equal(store.post('2')?.actions.replied_post?.id, '1');
  });

  test('a change of text or like changes nothing else', () => {
    const store = createPostStore();
    store.keepPost(samplePost('1', { actions: { replies_count: 3 } }));
    store.changeText('1', { text: 'иначе', is_modified: true });
    store.changeLike('1', { is_liked: true, likes_count: 5 });

    const { text, is_modified, actions } = store.post('1')!;
    assert.deepEqual([text, is_modified], ['иначе', true]);
    assert.deepEqual([actions.is_liked, actions.likes_count, actions.replies_count], [true, 5, 3]);
  });
});

describe('a new name', () => {
  const annas = { owner: { id: '8', username: 'anna_k', display_name: null } };

  test('appears on every post of its owner at once, also where one is quoted', () => {
    const store = createPostStore();
    store.keepPost(sampleReply('2', samplePost('1')));
    store.keepPost(sampleReply('4', samplePost('3', annas)));
    let changes = 0;
    store.content.subscribe(() => (changes += 1));
    store.renameOwner({ id: '7', username: 'vera_new', display_name: null });

    const name = (id: string) => store.post(id)?.owner.username;
    assert.deepEqual(['1', '2', '3', '4'].map(name), ['vera_new', 'vera_new', 'anna_k', 'vera_new']);
    assert.equal(store.post('2')?.actions.replied_post?.owner.username, 'vera_new');
    assert.equal(store.post('4')?.actions.replied_post?.owner.username, 'anna_k');
    assert.equal(changes, 1);
  });

  test('that all posts already have changes nothing', () => {
    const store = createPostStore();
    store.keepPost(sampleReply('2', samplePost('1', annas)));
    const before = store.post('2');
    store.content.subscribe(() => assert.fail('nothing has changed'));
    store.renameOwner({ id: '7', username: 'vera_s', display_name: null });
    store.renameOwner({ id: '9', username: 'nobody', display_name: null });
    assert.equal(store.post('2'), before);
  });
});

describe('lists', () => {
  test('a failure stays until the next attempt begins', () => {
    const store = createPostStore();
    const list = store.openList({ kind: 'feed' }, samplePage(['1'], 'more'));
    store.beginLoading(list);
    assert.equal(store.list(list)?.loading, true);
    store.endLoading(list, 'Нет соединения');
    assert.deepEqual([store.list(list)?.loading, store.list(list)?.failure], [false, 'Нет соединения']);
    store.beginLoading(list);
    assert.equal(store.list(list)?.failure, null);
  });

  test('a dropped list accepts no further pages', () => {
    const store = createPostStore();
    const kept = store.openList({ kind: 'feed' }, samplePage([]));
    const dropped = store.openList({ kind: 'feed' }, samplePage([]));
    store.keepOnlyLists(new Set([kept]));
    store.appendPage(dropped, samplePage(['1']));

    assert.ok(store.list(kept));
    assert.equal(store.list(dropped), undefined);
  });

  test('a post is dropped with its list, unless another list shows or quotes it or is the discussion of it', () => {
    const store = createPostStore();
    const dropped = store.openList({ kind: 'feed' }, samplePage(['1', '2', '3', '4']));
    store.keepPost(samplePost('3'));
    const thread = store.openList(threadOf('3'), sampleThread(samplePost('3')));
    const own = store.openList({ kind: 'own-replies' }, samplePage([sampleReply('9', samplePost('2'))]));
    const feed = store.openList({ kind: 'feed' }, samplePage(['1']));
    store.keepOnlyLists(new Set([thread, own, feed]));

    assert.equal(store.list(dropped), undefined);
    const known = ['1', '2', '3', '4', '9'].filter((id) => store.post(id));
    assert.deepEqual(known, ['1', '2', '3', '9']);
  });

  test('subscribers are called after every change until they unsubscribe', () => {
    const store = createPostStore();
    let changes = 0;
    const leave = store.content.subscribe(() => changes++);
    const list = store.openList({ kind: 'feed' }, samplePage(['1']));
    store.appendPage(list, samplePage(['2']));
    assert.equal(changes, 2);
    leave();
    store.keepPost(samplePost('3'));
    assert.equal(changes, 2);
  });
});

describe('a post of one’s own', () => {
  test('is at the top of the feed and of its author’s page', () => {
    const store = createPostStore();
    const feed = store.openList({ kind: 'feed' }, samplePage(['1']));
    const page = store.openList({ kind: 'user', userId: '7' }, samplePage(['1']));
    const others = store.openList({ kind: 'user', userId: '8' }, samplePage([]));
    store.addPost(samplePost('2'));

    assert.deepEqual(
      [feed, page, others].map((id) => store.list(id)?.ids),
      [['2', '1'], ['2', '1'], []],
    );
  });

  test('a reply appears below the post it replies to, with the count of that post', () => {
    const store = createPostStore();
    const root = samplePost('1');
    const feed = store.openList({ kind: 'feed' }, samplePage([root]));
    const thread = store.openList(threadOf('1'), sampleThread(root));
    store.addPost(sampleReply('2', samplePost('1', { actions: { replies_count: 1 } })));

    assert.deepEqual(
      [feed, thread].map((id) => store.list(id)?.ids),
      [['1'], ['2']],
    );
    assert.equal(store.post('1')?.actions.replies_count, 1);
  });

  test('adding it twice is an error that changes no list', () => {
    const store = createPostStore();
    const first = store.openList({ kind: 'user', userId: '7' }, samplePage([]));
    store.keepOnlyLists(new Set([first]));
    store.addPost(samplePost('2'));
    const before = store.list(first);

    assert.throws(() => store.addPost(samplePost('2')), { message: 'Пост с id=2 уже существует' });
    assert.equal(store.list(first), before);
  });
});

describe('a removed post', () => {
  test('disappears from every list, from quotations and from the count of the post it replies to', () => {
    const store = createPostStore();
    const root = samplePost('1', { actions: { replies_count: 2 } });
    const reply = sampleReply('2', root);
    const feed = store.openList({ kind: 'feed' }, samplePage([root]));
    const thread = store.openList(threadOf('1'), sampleThread(root, [reply]));
    store.keepPost(sampleReply('3', reply));
    store.removePost('2');

    assert.deepEqual(
      [feed, thread].map((id) => store.list(id)?.ids),
      [['1'], []],
    );
    assert.equal(store.post('2'), undefined);
    assert.equal(store.post('3')?.actions.replied_post, null);
    assert.equal(store.post('3')?.actions.replied_post_id, '2');
    assert.equal(store.post('1')?.actions.replies_count, 1);
  });

  test('removed here and by an event, it is subtracted once', () => {
    const store = createPostStore();
    store.keepPost(sampleReply('2', samplePost('1', { actions: { replies_count: 2 } })));
    store.removePost('2');
    store.removePost('2');
    assert.equal(store.post('1')?.actions.replies_count, 1);
  });

  test('does not come back with a response that was requested before', () => {
    const store = createPostStore();
    const updates = createStoreUpdates(store);
    const list = store.openList({ kind: 'feed' }, samplePage(['2', '1'], 'more'));
    store.removePost('1');
    store.keepPost(samplePost('1'));
    store.keepPost(sampleReply('3', samplePost('1')));
    store.appendPage(list, samplePage(['1']));
    updates.showNewest(list, samplePage(['2', '1']));
    updates.refreshList(list, samplePage(['2', '1']), new Map());
    updates.applyChanges(sampleChanges({ posts: [{ id: '1', owner_id: '7' }] }), null, () => false);

    assert.equal(store.post('1'), undefined);
    assert.equal(store.post('3')?.actions.replied_post, null);
    assert.deepEqual([store.list(list)?.ids, freshIn(store, list)], [['2'], []]);
    assert.deepEqual(store.list(store.openList({ kind: 'feed' }, samplePage(['2', '1'])))?.ids, ['2']);
  });
});
