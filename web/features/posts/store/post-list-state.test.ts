import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DuplicatePostError,
  openedList,
  belongsIn,
  withAdded,
  without,
  withPage,
  type PostList,
} from './post-list-state.ts';
import { missingIn, withFresh, withNewest, withRefreshedPage } from './post-list-updates.ts';
import { samplePage } from '../../../../test/kit/web/sample-posts.ts';

const feed = (ids: string[], next: string | null = null) => openedList({ kind: 'feed' }, samplePage(ids, next));

/** The list after the event that Vera has written this post. */
const afterEvent = (list: PostList, id: string) => withFresh(list, { id, ownerId: '7' });
const waiting = ({ fresh }: PostList) => fresh.map(({ id }) => id);

describe('fetched posts', () => {
  test('a page that repeats posts adds only the new ones, in order', () => {
    const { ids, pages, next } = withPage(feed(['5', '4'], 'after-4'), samplePage(['4', '3']));
    assert.deepEqual(ids, ['5', '4', '3']);
    assert.equal(pages, 2);
    assert.equal(next, null);
  });

  test('a page with a post that was added here does not show it twice', () => {
    const list = withPage(withAdded(feed(['4'], 'more'), '6'), samplePage(['6', '3']));
    assert.deepEqual(list.ids, ['6', '4', '3']);
  });
});

describe('added posts', () => {
  test('are on top, newest first, and count', () => {
    const list = withAdded(withAdded(feed(['5', '4']), '6'), '7');
    assert.deepEqual(list.ids, ['7', '6', '5', '4']);
    assert.equal(list.total, 4);
  });

  test('adding one twice is an error', () => {
    const add = () => withAdded(withAdded(feed([]), '6'), '6');
    assert.throws(add, DuplicatePostError);
    assert.throws(add, { message: 'Пост с id=6 уже существует' });
  });

  test('one that is in the list already stays where it is', () => {
    const list = feed(['6', '5']);
    assert.equal(withAdded(list, '6'), list);
  });

  test('one that waited no longer waits', () => {
    const list = withAdded(afterEvent(feed(['5']), '6'), '6');
    assert.deepEqual([list.ids, waiting(list)], [['6', '5'], []]);
  });
});

describe('removed posts', () => {
  test('disappear from the list and its total, whether added or fetched', () => {
    const list = withAdded(feed(['5', '4']), '6');
    assert.deepEqual(without(list, '6').ids, ['5', '4']);
    assert.deepEqual(without(without(list, '6'), '4').ids, ['5']);
    assert.equal(without(list, '5').total, 2);
  });

  test('disappear from the waiting ones without a change of the total', () => {
    const list = without(afterEvent(feed(['5']), '6'), '6');
    assert.deepEqual([waiting(list), list.total], [[], 1]);
  });

  test('change nothing when the list does not have them', () => {
    const list = feed(['5']);
    assert.equal(without(list, '9'), list);
  });
});

describe('new posts', () => {
  test('wait once each, and the shown posts stay', () => {
    const list = afterEvent(afterEvent(afterEvent(feed(['5']), '6'), '7'), '6');
    assert.deepEqual([list.ids, waiting(list)], [['5'], ['7', '6']]);
  });

  test('do not wait when they are shown', () => {
    assert.deepEqual(waiting(afterEvent(feed(['5']), '5')), []);
    assert.deepEqual(waiting(afterEvent(withAdded(feed(['5']), '6'), '6')), []);
  });

  test('are compared as numbers', () => {
    assert.deepEqual(waiting(afterEvent(feed(['9'], 'more'), '10')), ['10']);
  });

  test('do not wait when they will come with a page that is not loaded', () => {
    assert.deepEqual(waiting(afterEvent(feed(['5', '4'], 'more'), '3')), []);
    assert.deepEqual(waiting(afterEvent(feed(['5', '4']), '3')), ['3']);
  });

  test('may be older than the first: two servers do not write in the order of ids', () => {
    assert.deepEqual(waiting(afterEvent(feed(['7', '5'], 'more'), '6')), ['6']);
  });
});

describe('showing the newest', () => {
  test('puts them above the shown posts when the page reaches down to those', () => {
    const list = withNewest(afterEvent(feed(['5', '4'], 'after-4'), '6'), samplePage(['7', '6', '5'], 'after-5'));
    assert.deepEqual([list.ids, waiting(list), list.next], [['7', '6', '5', '4'], [], 'after-4']);
  });

  test('starts the list again when the page does not reach down to the shown posts', () => {
    const list = withNewest(afterEvent(feed(['5', '4'], 'after-4'), '9'), samplePage(['9', '8'], 'after-8'));
    assert.deepEqual([list.ids, waiting(list), list.next, list.pages], [['9', '8'], [], 'after-8', 1]);
  });

  test('fills an empty list', () => {
    assert.deepEqual(withNewest(afterEvent(feed([]), '1'), samplePage(['2', '1'])).ids, ['2', '1']);
  });

  test('keeps a post on top that was added after the page was loaded', () => {
    const list = withAdded(afterEvent(feed(['5'], 'more'), '6'), '8');
    assert.deepEqual(withNewest(list, samplePage(['6', '5'])).ids, ['8', '6', '5']);
    assert.deepEqual(withNewest(list, samplePage(['7', '6'], 'after-6')).ids, ['8', '7', '6']);
  });

  test('lets posts wait that were reported after the page was loaded', () => {
    const list = afterEvent(afterEvent(feed(['5']), '6'), '7');
    assert.deepEqual(waiting(withNewest(list, samplePage(['6', '5']))), ['7']);
  });
});

describe('loading the first page again', () => {
  test('lets new posts wait and updates the total', () => {
    const list = withRefreshedPage(feed(['5', '4'], 'more'), { ...samplePage(['7', '6', '5']), total: 42 });
    assert.deepEqual([list.ids, waiting(list), list.total], [['5', '4'], ['7', '6'], 42]);
  });

  test('a longer page than before adds no posts of the next page', () => {
    assert.deepEqual(waiting(withRefreshedPage(feed(['5', '4'], 'more'), samplePage(['5', '4', '3', '2']))), []);
  });

  test('finds the shown posts that are missing in the range of the page', () => {
    assert.deepEqual(missingIn(samplePage(['7', '5', '4'], 'more'), ['6', '5', '4', '3'], true), ['6']);
    assert.deepEqual(missingIn(samplePage(['7', '5', '4']), ['6', '5', '4', '3'], true), ['6', '3']);
    assert.deepEqual(missingIn(samplePage([]), ['6'], true), ['6']);
  });
});

describe('a new post belongs', () => {
  const root = { id: '9', ownerId: '7', repliedPostId: null };
  const reply = { id: '9', ownerId: '7', repliedPostId: '3' };
  const list = (source: Parameters<typeof openedList>[0]) => openedList(source, samplePage([]));

  for (const [what, source, post, me, belongs] of [
    ['to the feed, a root post', { kind: 'feed' }, root, null, true],
    ['not to the feed, a reply', { kind: 'feed' }, reply, null, false],
    ["to its author's page, a root post", { kind: 'user', userId: '7' }, root, null, true],
    ["not to another's page", { kind: 'user', userId: '8' }, root, null, false],
    ["not to its author's page, a reply", { kind: 'user', userId: '7' }, reply, null, false],
    ["to its author's replies, a reply", { kind: 'user-replies', userId: '7' }, reply, null, true],
    ["not to another's replies", { kind: 'user-replies', userId: '8' }, reply, '7', false],
    ["not to its author's replies, a root post", { kind: 'user-replies', userId: '7' }, root, null, false],
    ["to one's own replies", { kind: 'own-replies' }, reply, '7', true],
    ["not to another's own replies", { kind: 'own-replies' }, reply, '8', false],
    ["not to one's own replies, a root post", { kind: 'own-replies' }, root, '7', false],
    ['never to what one likes', { kind: 'liked' }, root, '7', false],
  ] as const) {
    test(what, () => assert.equal(belongsIn(list(source), post, me), belongs));
  }
});
