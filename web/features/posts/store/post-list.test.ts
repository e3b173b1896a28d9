import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { samplePage } from '../../../../test/kit/web/sample-posts.ts';
import { lineIn, newerThan, newestOf } from '../list/stop-point.ts';
import { openedList, belongsIn, withAdded, without, withPage, type PostList } from './post-list-state.ts';
import { missingIn, withFresh, withNewerPage, withNewest, withPlace, withRefreshedPage } from './post-list-updates.ts';

const feed = (ids: string[], next: string | null = null) => openedList({ kind: 'feed' }, samplePage(ids, next));

/** The list after events that Vera has written these posts. */
const afterEvents = (list: PostList, ...ids: string[]) =>
  ids.reduce((before, id) => withFresh(before, { id, ownerId: '7' }), list);

/** Compares the shown posts, the waiting posts and the total. */
const has = (list: PostList, shown: string, waiting = '', total = list.total) =>
  assert.deepEqual([list.ids.join(' '), list.fresh.map(({ id }) => id).join(' '), list.total], [shown, waiting, total]);

test('a page that repeats posts, fetched or added here, adds only the new ones, in order', () => {
  const list = withPage(feed(['5', '4'], 'after-4'), samplePage(['4', '3']));
  has(list, '5 4 3');
  assert.deepEqual([list.pages, list.next], [2, null]);
  has(withPage(withAdded(feed(['4'], 'more'), '6'), samplePage(['6', '3'])), '6 4 3');
});

test('added posts are on top, newest first, and count, unless they are there; one that waited no longer waits', () => {
  has(withAdded(withAdded(feed(['5', '4']), '6'), '7'), '7 6 5 4', '', 4);
  for (const list of [feed(['6', '5']), withAdded(feed(['5']), '6')]) assert.equal(withAdded(list, '6'), list);
  has(withAdded(afterEvents(feed(['5']), '6'), '6'), '6 5');
});

test('removed posts leave the list and its total, also the waiting ones, which do not count', () => {
  const list = withAdded(feed(['5', '4']), '6');
  has(without(list, '6'), '5 4', '', 2);
  has(without(without(list, '6'), '4'), '5', '', 1);
  has(without(afterEvents(feed(['5']), '6'), '6'), '5', '', 1);
  assert.equal(without(list, '9'), list);
});

test('new posts wait once each, by their numbers, unless they are shown or come with a page that is not loaded', () => {
  has(afterEvents(feed(['5']), '6', '7', '6'), '5', '7 6');
  has(afterEvents(feed(['5']), '5'), '5');
  has(afterEvents(withAdded(feed(['5']), '6'), '6'), '6 5');
  has(afterEvents(feed(['9'], 'more'), '10'), '9', '10');
  has(afterEvents(feed(['5', '4'], 'more'), '3'), '5 4');
  has(afterEvents(feed(['5', '4']), '3'), '5 4', '3');
  // Two servers do not write in the order of ids.
  has(afterEvents(feed(['7', '5'], 'more'), '6'), '7 5', '6');
});

test('the newest come above the shown posts, which they replace when they do not reach down to them', () => {
  const joined = withNewest(afterEvents(feed(['5', '4'], 'after-4'), '6'), samplePage(['7', '6', '5'], 'after-5'));
  has(joined, '7 6 5 4');
  assert.equal(joined.next, 'after-4');
  const again = withNewest(afterEvents(feed(['5', '4'], 'after-4'), '9'), samplePage(['9', '8'], 'after-8'));
  has(again, '9 8');
  assert.deepEqual([again.next, again.pages], ['after-8', 1]);
  has(withNewest(afterEvents(feed([]), '1'), samplePage(['2', '1'])), '2 1');
  // Posts 6 and 8 came after the page was loaded.
  const list = withAdded(afterEvents(feed(['5'], 'more'), '6'), '8');
  has(withNewest(list, samplePage(['6', '5'])), '8 6 5');
  has(withNewest(list, samplePage(['7', '6'], 'after-6')), '8 7 6');
  has(withNewest(afterEvents(feed(['5']), '6', '7'), samplePage(['6', '5'])), '6 5', '7');
});

test('the first page loaded again lets new posts wait, and tells which are missing in its range', () => {
  const page = { ...samplePage(['7', '6', '5']), total: 42 };
  has(withRefreshedPage(feed(['5', '4'], 'more'), page), '5 4', '7 6', 42);
  has(withRefreshedPage(feed(['5', '4'], 'more'), samplePage(['5', '4', '3', '2'])), '5 4');
  const shown = ['6', '5', '4', '3'];
  assert.deepEqual(missingIn(samplePage(['7', '5', '4'], 'more'), shown, true), ['6']);
  assert.deepEqual(missingIn(samplePage(['7', '5', '4']), shown, true), ['6', '3']);
  assert.deepEqual(missingIn(samplePage([]), ['6'], true), ['6']);
});

test('a new post belongs where its kind and its owner say, never to what one likes', () => {
  const root = { id: '9', ownerId: '7', repliedPostId: null };
  const reply = { ...root, repliedPostId: '3' };
  const ofOwner = { userId: '7' };
  for (const [source, post, me, belongs] of [
    [{ kind: 'feed' }, root, null, true],
    [{ kind: 'feed' }, reply, null, false],
    [{ kind: 'user', ...ofOwner }, root, null, true],
    [{ kind: 'user', userId: '8' }, root, null, false],
    [{ kind: 'user', ...ofOwner }, reply, null, false],
    [{ kind: 'user-replies', ...ofOwner }, reply, null, true],
    [{ kind: 'user-replies', userId: '8' }, reply, '7', false],
    [{ kind: 'user-replies', ...ofOwner }, root, null, false],
    [{ kind: 'own-replies' }, reply, '7', true],
    [{ kind: 'own-replies' }, reply, '8', false],
    [{ kind: 'own-replies' }, root, '7', false],
    [{ kind: 'liked' }, root, '7', false],
  ] as const) {
    const what = JSON.stringify([source, post, me]);
    assert.equal(belongsIn(openedList(source, samplePage([])), post, me), belongs, what);
  }
});

describe('the place where the last visit ended', () => {
  const far = () => afterEvents(feed(['90', '80', '70'], 'older'), '95');
  const stopAt = (post: string) => ({ list: 1, post, counted: '0', isAhead: true });
  const fromPlace = { ...samplePage(['6', '5'], 'older'), previous: 'up', newer: 4 };

  test('has the line above the post or the next older one, if anything is newer', () => {
    for (const [ids, post, line] of [
      [['9', '8', '7'], '8', '8'],
      [['9', '6', '5'], '8', '6'],
      [['9', '8', '7'], '9', undefined],
      [['9', '8', '7'], '3', undefined],
      [[], '3', undefined],
    ] as const) {
      assert.equal(lineIn(feed([...ids], 'older'), post), line);
    }
  });

  test('is told with the number of newer posts, shown or waiting or counted by the server', () => {
    assert.equal(newerThan(afterEvents(feed(['9', '8', '7'], 'older'), '10'), stopAt('7')), 3);
    const page = { ...samplePage(['7']), previous: 'up', newer: 40 };
    assert.equal(newerThan(far(), { ...stopAt('7'), page, counted: '90' }), 41);
    assert.equal(newerThan(far(), { ...stopAt('7'), page, counted: newestOf(far()) }), 40);
    assert.equal(newerThan(far(), stopAt('7')), null);
    assert.equal(newerThan(far(), { ...stopAt('7'), page: null }), null);
  });

  test('begins a list that grows upward to the newest post', () => {
    let list = withPlace(far(), fromPlace, '7');
    has(list, '6 5', '95');
    assert.deepEqual([lineIn(list, '7'), newerThan(list, stopAt('7'))], ['6', 5]);
    // A post between the stop point and the newest post known at the load does not wait.
    list = afterEvents(list, '60');
    has(list, '6 5', '95');
    list = withNewerPage(list, { ...samplePage(['9', '8']), previous: 'further up' });
    has(list, '9 8 6 5', '95');
    assert.deepEqual([list.above?.count, list.above?.cursor], [2, 'further up']);
    list = withNewerPage(list, { ...samplePage(['95', '90']), previous: null });
    has(list, '95 90 9 8 6 5');
    assert.deepEqual([list.above?.count, newerThan(list, stopAt('7'))], [0, 4]);
  });

  test('is left when the newest posts are shown', () => {
    const list = withPlace(feed(['90', '80'], 'older'), fromPlace, '7');
    const newest = samplePage(['99', '90'], 'next');
    const reached = withNewerPage(list, { ...samplePage(['90']), previous: 'up' });
    for (const [before, ids, next] of [
      [list, '99 90', 'next'],
      [reached, '99 90 6 5', 'older'],
    ] as const) {
      const after = withNewest(before, newest);
      has(after, ids);
      assert.deepEqual([after.above, after.next], [undefined, next]);
    }
  });
});
