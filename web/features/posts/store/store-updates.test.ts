import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore, samplePage, samplePost, sampleReply, sampleThread } from '../../../../test/kit/web/sample-posts.ts';
import type { ListPage, PostListSource } from './post-list-state.ts';
import type { PostListId } from './post-store.ts';

const liked = { actions: { is_liked: true, likes_count: 1 } };
const countsOf = (id: string, likes_count: number, replies_count: number) => [
  { id, likes_count, replies_count, thread_count: replies_count },
];

describe('events', () => {
  test('change texts and counts wherever the post is shown, not likes that are being sent, and no unknown posts', () => {
    const { store, open, apply, actions } = openStore();
    open({ kind: 'feed' }, [samplePost('1', liked), samplePost('2', liked)]);
    apply({ changed: ['1', '9'].map((id) => ({ id, text: 'иначе', is_modified: true })) });
    for (const id of ['1', '2', '9']) apply({ counts: countsOf(id, 4, 2) }, null, (busy) => busy === '2');
    const { text, is_modified } = store.post('1')!;
    assert.deepEqual([text, is_modified, store.post('9')], ['иначе', true, undefined]);
    const counts = ['1', '2'].map(actions).map((all) => [all.is_liked, all.likes_count, all.replies_count]);
    assert.deepEqual(counts, [
      [true, 4, 2],
      [true, 1, 2],
    ]);
  });

  test('add new posts to the waiting ones of the lists they belong to, once and not when they are gone already', () => {
    const { store, open, openThread, apply, ids, waiting } = openStore();
    const [feed, thread, own] = [open({ kind: 'feed' }), openThread(samplePost('1')), open({ kind: 'own-replies' })];
    const news = {
      posts: ['5', '7'].map((id) => ({ id, owner_id: '7' })),
      replies: [{ id: '6', owner_id: '7', replied_post_id: '1', parent_post_id: '1' }],
      deleted: ['7'],
    };
    apply(news, '7');
    apply(news, '7');
    assert.deepEqual([waiting(feed), waiting(own), ids(feed)], [['5'], ['6'], []]);
    assert.deepEqual(store.list(thread)?.thread?.unloaded, [{ id: '6', ownerId: '7', parent: '1' }]);
  });

  test('about deleted replies change the counts once', () => {
    const { openThread, apply, ids, actions } = openStore();
    const root = samplePost('1', { actions: { replies_count: 2 } });
    const thread = openThread(root, [sampleReply('2', root)]);
    apply({ deleted: ['2'], counts: countsOf('1', 0, 1) });
    assert.deepEqual([ids(thread), actions('1').replies_count], [[], 1]);
  });

  test('change and remove the line of the last reply', () => {
    const { store, open, apply } = openStore();
    const owner = { id: '8', username: 'boris_p', display_name: null, face: null };
    const last_reply = { id: '2', owner, text: 'ответ', created_at: 0 };
    open({ kind: 'feed' }, [samplePost('1', { last_reply }), samplePost('3')]);
    apply({ changed: [{ id: '2', text: 'иначе', is_modified: true }] });
    assert.equal(store.post('1')?.last_reply?.text, 'иначе');
    apply({ deleted: ['2'] });
    assert.deepEqual([store.post('1')?.last_reply, store.post('3')?.last_reply], [null, undefined]);
  });
});

describe('loading a list again', () => {
  /** A list, and a function that loads it again. `meanwhile` runs between the request and the response. */
  function loaded(source: PostListSource, page: ListPage, busy?: string) {
    const wall = openStore();
    const list: PostListId = wall.store.openList(source, page);
    const again = (response: ListPage, meanwhile = () => {}) => {
      const before = wall.updates.beginRefresh(list, (id) => id === busy);
      meanwhile();
      wall.updates.refreshList(list, response, before);
    };
    return { ...wall, list, again, shown: () => wall.ids(list) };
  }

  test('after a reset updates shown posts, lets new ones wait and removes deleted ones everywhere', () => {
    const { store, list, again, apply, shown, waiting, actions } = loaded(
      { kind: 'feed' },
      samplePage(['3', '2', '1'], 'more'),
    );
    store.storePost(sampleReply('9', samplePost('2')));
    apply({ reset: true });
    assert.equal(store.list(list)?.stale, true);
    again(samplePage(['4', samplePost('3', liked), '1'], 'more'));
    assert.deepEqual([shown(), waiting(list), store.list(list)?.stale], [['3', '1'], ['4'], false]);
    assert.deepEqual([actions('3').is_liked, actions('9').replied_post], [true, null]);
  });

  test('takes no notification for deleted that stands below the page, whatever its id', () => {
    const { again, shown } = loaded({ kind: 'notifications' }, samplePage(['510', '500', '505', '490'], 'more'));
    again(samplePage(['511', '500'], 'more'));
    assert.deepEqual(shown(), ['500', '505', '490']);
  });

  test('does not remove posts that were written or shown meanwhile', () => {
    const { store, updates, list, again, shown } = loaded({ kind: 'feed' }, samplePage(['1']));
    again(samplePage(['1']), () => {
      store.addPost(samplePost('3'));
      updates.showNewest(list, samplePage(['2', '1']));
    });
    assert.deepEqual(shown(), ['3', '2', '1']);
  });

  test('keeps texts and likes that were changed meanwhile and likes that are being sent, and takes over other likes', () => {
    const { store, again, actions } = loaded({ kind: 'feed' }, samplePage(['3', '2', '1']), '3');
    store.changeLike('3', liked.actions);
    again(samplePage(['3', '2', samplePost('1', { text: 'старое', ...liked })]), () => {
      store.changeText('1', { text: 'новее', is_modified: true });
      store.changeLike('2', liked.actions);
    });
    assert.equal(store.post('1')?.text, 'новее');
    assert.deepEqual(
      ['1', '2', '3'].map((id) => actions(id).is_liked),
      [true, true, true],
    );
  });

  test('updates the post of a discussion too', () => {
    const { store, again } = loaded({ kind: 'thread', postId: '1', order: 'newest' }, sampleThread(samplePost('1')));
    again(sampleThread(samplePost('1', { text: 'иначе' })));
    assert.equal(store.post('1')?.text, 'иначе');
  });

  test('updates liked posts without finding any of them deleted or new', () => {
    const { store, list, again, shown, waiting } = loaded({ kind: 'liked' }, samplePage(['3', '7', '1']));
    again(samplePage(['9', samplePost('7', { text: 'иначе' })]));
    assert.deepEqual([shown(), waiting(list), store.post('7')?.text], [['3', '7', '1'], [], 'иначе']);
  });

  test('takes an edited post out of the results of a search without deleting it, and lets a new match wait', () => {
    const highlights = { 3: [[0, 2]], 1: [[0, 2]] } as const;
    const found = { ...samplePage(['3', '1'], 'more'), highlights };
    const { store, updates, open, list, again, ids, shown, waiting } = loaded({ kind: 'search', q: 'за' }, found);
    const feed = open({ kind: 'feed' }, ['3', '2', '1']);
    again(samplePage(['2', '1'], 'more'));
    assert.deepEqual([shown(), waiting(list), ids(feed)], [['1'], ['2'], ['3', '2', '1']]);
    updates.showNewest(list, { ...samplePage(['2', '1'], 'more'), highlights: { 2: [[3, 4]] } });
    assert.deepEqual([shown(), store.list(list)!.highlights], [['2', '1'], { ...highlights, 2: [[3, 4]] }]);
  });
});
