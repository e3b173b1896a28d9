import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Branch,
  openedThread,
  pathOf,
  type Thread,
  withBranches,
  withFold,
  withMore,
  withoutReply,
  withOwnReply,
  withReply,
} from './thread-tree.ts';

interface Below extends ReadonlyArray<Sample> {}
type Sample = string | Below;

/** `['5', '7', ['8', '9']]`: 5 with the replies 7 and 8, and 9 below 8. A minus marks a deleted post. */
function branch(sample: Sample): Branch {
  const [name, ...below] = (typeof sample === 'string' ? [sample] : sample) as [string, ...Sample[]];
  return { id: name.replace('-', ''), gone: name.startsWith('-'), replies: below.map(branch), more: null };
}

const opened = (...replies: Sample[]) =>
  openedThread({ postId: '1', order: 'newest', ancestors: [], skipped: 0, replies: replies.map(branch) });

/** The rows as text: a dot for each level, the id, the size of the branch. */
const shown = ({ rows }: Thread) =>
  rows.map(({ id, level, size, gone }) => `${'.'.repeat(level)}${gone ? '-' : ''}${id}${size > 0 ? ` (${size})` : ''}`);

describe('the rows of a discussion', () => {
  test('show each reply with everything below it, with its level and the size of its branch', () => {
    const thread = opened(['5', ['6', '9'], '7'], '2');
    assert.deepEqual(shown(thread), ['.5 (3)', '..6 (1)', '...9', '..7', '.2']);
    assert.deepEqual(
      thread.rows.map(({ parent }) => parent),
      ['1', '5', '6', '5', '1'],
    );
  });

  test('keep the order of direct replies and the order of time below them', () => {
    assert.deepEqual(shown(opened('2', ['10', '12', '11'], '9')), ['.10 (2)', '..11', '..12', '.9', '.2']);
    const oldest = openedThread({
      postId: '1',
      order: 'oldest',
      ancestors: [],
      skipped: 0,
      replies: ['9', '10', '2'].map(branch),
    });
    assert.deepEqual(shown(oldest), ['.2', '.9', '.10']);
  });

  test('leave out a folded branch and still count it', () => {
    const thread = withFold(opened(['5', ['6', '9']], '2'), '5', true);
    assert.deepEqual(shown(thread), ['.5 (2)', '.2']);
    assert.equal(thread.rows[0]?.folded, true);
    assert.deepEqual(shown(withFold(thread, '5', false)), ['.5 (2)', '..6 (1)', '...9', '.2']);
  });

  test('say where branches continue, the deepest first, and count what is not loaded', () => {
    const more = { count: 4, cursor: 'c' };
    const thread = withMore(withMore(opened(['5', ['6', '9']], '2'), '5', more), '6', more);
    assert.deepEqual(shown(thread), ['.5 (10)', '..6 (5)', '...9', '.2']);
    assert.deepEqual(
      thread.rows.map(({ ends }) => ends),
      [[], [], ['6', '5'], []],
    );
    assert.deepEqual(
      withFold(thread, '6', true).rows.map(({ ends }) => ends),
      [[], ['5'], []],
    );
  });
});

describe('replies', () => {
  test('take their place below the post they reply to, once', () => {
    const thread = withReply(withReply(opened(['5', '6'], '2'), '8', '6'), '8', '6');
    assert.deepEqual(shown(thread), ['.5 (2)', '..6 (1)', '...8', '.2']);
    assert.deepEqual(shown(withReply(thread, '9', '1'))[0], '.9');
  });

  test('of one’s own stand directly below what they answer, the last one first, and stay there', () => {
    const once = withOwnReply(opened(['5', '6', '7'], '2'), '8', '5');
    assert.deepEqual(shown(once), ['.5 (3)', '..8', '..6', '..7', '.2']);
    const twice = withReply(withOwnReply(once, '9', '5'), '10', '5');
    assert.deepEqual(shown(twice), ['.5 (5)', '..9', '..8', '..6', '..7', '..10', '.2']);
  });

  test('to a post that is not loaded are left out', () => {
    assert.deepEqual(shown(withReply(opened('2'), '8', '77')), ['.2']);
  });

  test('loaded again stay with what is loaded below them', () => {
    const thread = withBranches(opened(['5', ['6', '9']]), '1', ['5', '3'].map(branch));
    assert.deepEqual(shown(thread), ['.5 (2)', '..6 (1)', '...9', '.3']);
  });
});

describe('deleted posts', () => {
  test('without replies leave, with replies stay as an empty place', () => {
    const thread = opened(['5', ['6', '9']], '2');
    assert.deepEqual(shown(withoutReply(thread, '9')), ['.5 (1)', '..6', '.2']);
    assert.deepEqual(shown(withoutReply(thread, '6')), ['.5 (2)', '..-6 (1)', '...9', '.2']);
  });

  test('leave with the last reply to them, all the way up', () => {
    const thread = opened(['-5', ['-6', '9']], '2');
    assert.deepEqual(shown(withoutReply(thread, '9')), ['.2']);
    assert.deepEqual(shown(withoutReply(opened(['5', ['-6', '9']]), '9')), ['.5']);
  });

  test('stay while replies to them are not loaded', () => {
    const thread = withMore(opened('5', '2'), '5', { count: 3, cursor: 'c' });
    assert.deepEqual(shown(withoutReply(thread, '5')), ['.-5 (3)', '.2']);
  });
});

test('finds the way from a reply up to the post of the page', () => {
  assert.deepEqual(pathOf(opened(['5', ['6', '9']]), '9'), ['6', '5']);
  assert.deepEqual(pathOf(opened('5'), '5'), []);
});
