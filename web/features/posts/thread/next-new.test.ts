import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Branch, openedThread, withFold, withReply } from '../store/thread-tree.ts';
import { nextNew } from './next-new.ts';
import { unreadReplies } from '../store/thread-tree.ts';

const branch = (id: string, replies: Branch[] = [], more: Branch['more'] = null): Branch => ({
  id,
  gone: false,
  replies,
  more,
});
const opened = openedThread({
  postId: '1',
  order: 'newest',
  ancestors: [],
  skipped: 0,
  replies: [
    branch('9', [branch('10')]),
    branch('5', [branch('6')], { count: 2, cursor: 'c' }),
    branch('2', [branch('3')]),
  ],
});

const look = (after: string | undefined, wanted: string[], rest: { hasPages?: boolean; isEnough?: boolean } = {}) =>
  nextNew(opened, { after, wanted: new Set(wanted), hasPages: false, isEnough: false, ...rest });

test('goes through the new replies in the order of the tree and begins again after the last', () => {
  assert.deepEqual(look(undefined, ['3', '10']), { is: 'reply', id: '10' });
  assert.deepEqual(look('10', ['3', '10'], { isEnough: true }), { is: 'reply', id: '3' });
  assert.deepEqual(look('3', ['3', '10']), { is: 'reply', id: '10' });
  assert.equal(look('3', []), null);
});

test('loads the rest of a branch and further pages on the way', () => {
  assert.deepEqual(look('10', ['3']), { is: 'branch', id: '5' });
  assert.deepEqual(look('2', ['10'], { hasPages: true }), { is: 'page' });
  assert.deepEqual(look('2', ['10'], { hasPages: true, isEnough: true }), { is: 'reply', id: '10' });
});

test('finds replies in folded branches', () => {
  const folded = withFold(opened, '9', true);
  assert.deepEqual(nextNew(folded, { after: '9', wanted: new Set(['10']), hasPages: false, isEnough: true }), {
    is: 'reply',
    id: '10',
  });
});

test('unread are the replies of others since the last visit that have not been seen', () => {
  const owners: Record<string, string> = { 9: '8', 10: '7', 11: '8', 6: '8' };
  const ownerOf = (id: string) => owners[id];
  const visit = { since: '6', reader: '7', seen: new Set<string>() };
  const thread = { ...withReply(opened, '11', '9'), visit };
  assert.deepEqual(unreadReplies(thread, ownerOf).toSorted(), ['11', '9']);
  assert.deepEqual(unreadReplies({ ...thread, arrived: new Set(['11']) }, ownerOf), ['9']);
  assert.deepEqual(unreadReplies({ ...thread, visit: { ...visit, seen: new Set(['9']) } }, ownerOf), ['11']);
  assert.deepEqual(unreadReplies({ ...thread, visit: { ...visit, since: null } }, ownerOf), []);
  assert.deepEqual(unreadReplies(opened, ownerOf), []);
});
