import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { samplePost, sampleReply, sampleThread, threadOf } from '../../../../test/kit/web/sample-posts.ts';
import { openedList, type PostList } from '../store/post-list-state.ts';
import {
  type Branch,
  openedThread,
  pathOf,
  type Row,
  type Thread,
  type ThreadOrder,
  unreadReplies,
  withBranches,
  withFold,
  withMore,
  withoutReply,
  withOwnReply,
  withReply,
} from '../store/thread-tree.ts';
import { withNewReply, withLoaded, withOrder, withPlaced, withRefreshed } from '../store/thread-updates.ts';
import { nextNew } from './next-new.ts';
import { foldLabel, namesReplied, indentOf } from './rows.ts';

interface Below extends ReadonlyArray<Sample> {}
type Sample = string | Below;

/** `['5', '7', ['8', '9']]`: 5 with the replies 7 and 8, and 9 below 8. A minus marks a deleted post. */
function branch(sample: Sample): Branch {
  const [name, ...below] = (typeof sample === 'string' ? [sample] : sample) as [string, ...Sample[]];
  return { id: name.replace('-', ''), gone: name.startsWith('-'), replies: below.map(branch), more: null };
}

const ordered = (order: ThreadOrder, replies: Sample[]) =>
  openedThread({ postId: '1', order, ancestors: [], skipped: 0, replies: replies.map(branch) });
const opened = (...replies: Sample[]) => ordered('newest', replies);
const more = (count: number) => ({ count, cursor: 'c' });

/** Expects the rows as text: a dot for each level, the id, the size of the branch. */
const has = ({ rows }: Thread, expected: string) => {
  const texts = rows.map(
    ({ id, level, size, gone }) => `${'.'.repeat(level)}${gone ? '-' : ''}${id}${size > 0 ? `(${size})` : ''}`,
  );
  assert.equal(texts.join(' '), expected);
};

describe('the rows of a discussion', () => {
  test('show each reply with everything below it, its level and the size of its branch, in the order of time', () => {
    const thread = opened(['5', ['6', '9'], '7'], '2');
    has(thread, '.5(3) ..6(1) ...9 ..7 .2');
    assert.equal(thread.rows.map(({ parent }) => parent).join(), '1,5,6,5,1');
    has(opened('2', ['10', '12', '11'], '9'), '.10(2) ..11 ..12 .9 .2');
    has(ordered('oldest', ['9', '10', '2']), '.2 .9 .10');
    assert.deepEqual([pathOf(thread, '9'), pathOf(thread, '5')], [['6', '5'], []]);
  });

  test('leave out a folded branch and still count it', () => {
    const thread = withFold(opened(['5', ['6', '9']], '2'), '5', true);
    has(thread, '.5(2) .2');
    assert.equal(thread.rows[0]?.folded, true);
    has(withFold(thread, '5', false), '.5(2) ..6(1) ...9 .2');
  });

  test('say where branches continue, the deepest first, and count what is not loaded', () => {
    const thread = withMore(withMore(opened(['5', ['6', '9']], '2'), '5', more(4)), '6', more(4));
    has(thread, '.5(10) ..6(5) ...9 .2');
    const endsIn = ({ rows }: Thread) => rows.map(({ ends }) => ends.join(' ')).join();
    assert.deepEqual([endsIn(thread), endsIn(withFold(thread, '6', true))], [',,6 5,', ',5,']);
  });

  test('take replies below the post they reply to, once, and none to a post that is not loaded', () => {
    const thread = withReply(withReply(opened(['5', '6'], '2'), '8', '6'), '8', '6');
    has(thread, '.5(2) ..6(1) ...8 .2');
    has(withReply(thread, '9', '1'), '.9 .5(2) ..6(1) ...8 .2');
    has(withReply(opened('2'), '8', '77'), '.2');
    const once = withOwnReply(opened(['5', '6', '7'], '2'), '8', '5');
    has(once, '.5(3) ..6 ..7 ..8 .2');
    has(withReply(withOwnReply(once, '9', '1'), '10', '5'), '.9 .5(4) ..6 ..7 ..8 ..10 .2');
    has(withBranches(opened(['5', ['6', '9']]), '1', ['5', '3'].map(branch)), '.5(2) ..6(1) ...9 .3');
  });

  test('keep the place of a deleted post while there are replies to it, loaded or not', () => {
    const thread = opened(['5', ['6', '9']], '2');
    has(withoutReply(thread, '9'), '.5(1) ..6 .2');
    has(withoutReply(thread, '6'), '.5(2) ..-6(1) ...9 .2');
    has(withoutReply(opened(['-5', ['-6', '9']], '2'), '9'), '.2');
    has(withoutReply(opened(['5', ['-6', '9']]), '9'), '.5');
    has(withoutReply(withMore(opened('5', '2'), '5', more(3)), '5'), '.-5(3) .2');
  });
});

describe('what comes later', () => {
  const root = samplePost('1');

  /** A discussion with the direct replies 5 and 3. */
  const list = (next: string | null = null): PostList =>
    openedList(threadOf('1'), sampleThread(root, [sampleReply('5', root), sampleReply('3', root)], next));
  const oldest = (next: string | null = null) => withOrder(list(next), list().thread!, 'oldest');
  const afterEvent = (before: PostList, id: string, repliedPostId: string) =>
    withNewReply(before, before.thread!, { id, ownerId: '7', repliedPostId });

  test('is noted once if its place is known, and only counted where further replies are not loaded', () => {
    const noted = afterEvent(afterEvent(afterEvent(list(), '8', '5'), '8', '5'), '9', '8');
    assert.equal(noted.thread!.unloaded.map(({ id }) => id).join(), '8,9');
    const before = list();
    assert.equal(afterEvent(before, '8', '77'), before);
    assert.equal(afterEvent(before, '5', '1'), before);
    const { thread } = afterEvent({ ...before, thread: withMore(before.thread!, '5', more(4)) }, '8', '5');
    assert.deepEqual([thread!.unloaded, thread!.nodes.get('5')!.more], [[], more(5)]);
    const atEnd = afterEvent(oldest('more'), '8', '1');
    assert.deepEqual([atEnd.total, atEnd.thread!.unloaded], [3, []]);
  });

  test('waits when it is loaded, counts as new and then takes its place', () => {
    const noted = afterEvent(list(), '8', '5');
    const loaded = withLoaded(noted, noted.thread!, ['8']);
    assert.deepEqual([loaded.ids, loaded.fresh], [['5', '3'], [{ id: '8', ownerId: '7' }]]);
    const placed = withPlaced(loaded, loaded.thread!, loaded.thread!.waiting[0]!);
    assert.deepEqual([placed.ids, placed.thread!.waiting, placed.total], [['5', '8', '3'], [], 2]);
    assert.equal(placed.thread!.arrived.has('8'), true);
  });

  test('is in the other order, which reverses direct replies alone', () => {
    const { ids, source } = oldest();
    assert.deepEqual([ids, source], [['3', '5'], { kind: 'thread', postId: '1', order: 'oldest' }]);
  });

  test('is found when the discussion is loaded again: missing replies leave, new ones wait, those below the end stay', () => {
    const again = (before: PostList, ids: string[], next: string | null) => {
      const branches = ids.map(branch);
      const shown = new Map(['5', '3'].map((id) => [id, root]));
      return withRefreshed(before, before.thread!, { branches, next, shown, ownerOf: () => '7' });
    };
    const { ids, fresh } = again(list(), ['9', '3'], null);
    assert.deepEqual([ids, fresh], [['3'], [{ id: '9', ownerId: '7' }]]);
    assert.deepEqual(again(list(), ['5'], 'c').ids, ['5', '3']);
    assert.deepEqual(again(list('more'), ['9', '3'], 'c').ids, ['3']);
    assert.deepEqual(again(oldest(), ['3'], 'c').ids, ['3', '5']);
    // The list continues where the response ends if there are more replies than known.
    assert.equal(again(list(), ['5'], 'c').next, null);
    assert.equal(again({ ...list(), total: 3 }, ['5'], 'c').next, 'c');
    assert.equal(again({ ...list(), total: 3 }, ['9', '5'], 'c').next, null);
  });
});

describe('the place of a row', () => {
  /** 2 to 5 are a dialogue that splits below 5; 10 has replies that are not loaded. */
  const split = withMore(
    ordered('oldest', [['2', ['3', ['4', ['5', ['6', '7'], '8']]]], ['9', '10'], '11']),
    '10',
    more(2),
  );

  /** What `of` says about each row. Rows about which it says nothing are left out. */
  const said = (of: (row: Row) => string | number | null, thread: Thread = split): string =>
    thread.rows.flatMap((row) => (of(row) === null ? [] : `${row.id}: ${of(row)}`)).join(', ');

  test('has a control where a branch begins or splits, which a folded one keeps, and a line to the nearest control', () => {
    const words = (row: Row) => foldLabel(row)?.join(' ') ?? null;
    assert.equal(said(words), '2: скрыть 6 ответов, 5: скрыть 3 ответа, 9: скрыть 3 ответа, 10: скрыть 2 ответа');
    assert.match(said(words, withFold(split, '5', true)), /\b5: показать 3 ответа,/);
    assert.match(said(words, withFold(split, '4', true)), /\b4: показать 4 ответа,/);
    assert.equal(
      said(({ head }) => head),
      '3: 2, 4: 2, 5: 2, 6: 5, 7: 5, 8: 5, 10: 9',
    );
  });

  test('names whom it answers only where neither indentation nor the row above shows it', () => {
    const named = split.rows.filter((row, index) => namesReplied(row, split.rows[index - 1]));
    assert.equal(named.map(({ id }) => id).join(), '8');
  });

  test('has a line whose colour changes where a branch splits', () => {
    const others = said((row) => indentOf(row).line || null);
    assert.equal(others, '6: 1, 7: 1, 8: 1');
  });
});

describe('new replies', () => {
  const thread = withMore(opened(['9', '10'], ['5', '6'], ['2', '3']), '5', more(2));
  const look = (after: string | undefined, wanted: string[], rest: { hasPages?: boolean; isEnough?: boolean } = {}) =>
    nextNew(thread, { after, wanted: new Set(wanted), hasPages: false, isEnough: false, ...rest });

  test('follow each other in the order of the tree, also in folded branches, and begin again after the last', () => {
    assert.deepEqual(look(undefined, ['3', '10']), { is: 'reply', id: '10' });
    assert.deepEqual(look('10', ['3', '10'], { isEnough: true }), { is: 'reply', id: '3' });
    assert.deepEqual(look('3', ['3', '10']), { is: 'reply', id: '10' });
    assert.equal(look('3', []), null);
    const wanted = new Set(['10']);
    const folded = nextNew(withFold(thread, '9', true), { after: '9', wanted, hasPages: false, isEnough: true });
    assert.deepEqual(folded, { is: 'reply', id: '10' });
  });

  test('are looked for in the rest of a branch and on further pages', () => {
    assert.deepEqual(look('10', ['3']), { is: 'branch', id: '5' });
    assert.deepEqual(look('2', ['10'], { hasPages: true }), { is: 'page' });
    assert.deepEqual(look('2', ['10'], { hasPages: true, isEnough: true }), { is: 'reply', id: '10' });
  });

  test('are those of others since the last visit that have not been seen', () => {
    const owners: Record<string, string> = { 9: '8', 10: '7', 11: '8', 6: '8' };
    const visit = { since: '6', reader: '7', seen: new Set<string>() };
    const visited = { ...withReply(thread, '11', '9'), visit };
    for (const [change, unread] of [
      [{}, ['11', '9']],
      [{ arrived: new Set(['11']) }, ['9']],
      [{ visit: { ...visit, seen: new Set(['9']) } }, ['11']],
      [{ visit: { ...visit, since: null } }, []],
      [{ visit: null }, []],
    ] as const) {
      assert.deepEqual(unreadReplies({ ...visited, ...change }, (id) => owners[id]).toSorted(), unread);
    }
  });
});
