import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuplicatePostError, openedList, withAdded } from './post-list-state.ts';

const empty = openedList({ kind: 'feed' }, { posts: [], firstPage: 1, lastPage: 1, total: 0, next: null });

test('what is added stands on top and counts', () => {
  const list = withAdded(withAdded(empty, '1'), '2');
  assert.deepEqual(list.ids, ['2', '1']);
  assert.equal(list.total, 2);
});

test('added twice it is an error that says which post it was', () => {
  const add = () => withAdded(withAdded(empty, '7'), '7');
  assert.throws(add, DuplicatePostError);
  assert.throws(add, { message: 'Пост с id=7 уже существует' });
});
