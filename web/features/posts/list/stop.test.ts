import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openedList, type PostList } from '../store/post-list-state.ts';
import { withFresh, withNewerPage, withNewest, withPlace } from '../store/post-list-updates.ts';
import { samplePage } from '../../../../test/kit/web/sample-posts.ts';
import { lineIn, newerThan, newestOf } from './stop.ts';

const feed = (ids: string[], next: string | null = 'older'): PostList =>
  openedList({ kind: 'feed' }, samplePage(ids, next));
const fresh = (id: string) => ({ id, ownerId: '8' });
const stopAt = (post: string) => ({ list: 1, post, counted: '0', isAhead: true });

test('the line is above the post or the next older one, if anything is newer', () => {
  assert.equal(lineIn(feed(['9', '8', '7']), '8'), '8');
  assert.equal(lineIn(feed(['9', '6', '5']), '8'), '6');
  assert.equal(lineIn(feed(['9', '8', '7']), '9'), undefined);
  assert.equal(lineIn(feed(['9', '8', '7']), '3'), undefined);
  assert.equal(lineIn(feed([]), '3'), undefined);
});

test('the number counts what is shown and what waits', () => {
  const list = withFresh(feed(['9', '8', '7']), fresh('10'));
  assert.equal(newerThan(list, stopAt('7')), 3);
});

test('the number of the server grows with what came since', () => {
  const list = withFresh(feed(['90', '80', '70']), fresh('95'));
  const page = { ...samplePage(['7']), previous: 'up', newer: 40 };
  assert.equal(newerThan(list, { ...stopAt('7'), page, counted: '90' }), 41);
  assert.equal(newerThan(list, { ...stopAt('7'), page, counted: newestOf(list) }), 40);
  assert.equal(newerThan(list, stopAt('7')), null);
  assert.equal(newerThan(list, { ...stopAt('7'), page: null }), null);
});

test('a list that begins at the place grows upward to the newest post', () => {
  const before = withFresh(feed(['90', '80', '70']), fresh('95'));
  let list = withPlace(before, { ...samplePage(['6', '5'], 'older'), previous: 'up', newer: 4 }, '7');
  assert.deepEqual(list.ids, ['6', '5']);
  assert.equal(lineIn(list, '7'), '6');
  assert.equal(newerThan(list, stopAt('7')), 5);
  // Between the place and what was known then.
  list = withFresh(list, fresh('60'));
  assert.deepEqual(list.fresh, [fresh('95')]);
  list = withNewerPage(list, { ...samplePage(['9', '8']), previous: 'further up' });
  assert.deepEqual([list.ids, list.above?.count, list.above?.cursor], [['9', '8', '6', '5'], 2, 'further up']);
  list = withNewerPage(list, { ...samplePage(['95', '90']), previous: null });
  assert.deepEqual(list.ids, ['95', '90', '9', '8', '6', '5']);
  assert.deepEqual([list.fresh, list.above?.count], [[], 0]);
  assert.equal(newerThan(list, stopAt('7')), 4);
});

test('the newest posts replace a list that begins at the place', () => {
  const list = withPlace(feed(['90', '80']), { ...samplePage(['6', '5'], 'older'), previous: 'up', newer: 4 }, '7');
  const newest = withNewest(list, samplePage(['99', '90'], 'next'));
  assert.deepEqual([newest.ids, newest.above, newest.next], [['99', '90'], undefined, 'next']);
  const joined = withNewest(
    withNewerPage(list, { ...samplePage(['90']), previous: 'up' }),
    samplePage(['99', '90'], 'next'),
  );
  assert.deepEqual([joined.ids, joined.above, joined.next], [['99', '90', '6', '5'], undefined, 'older']);
});
