import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchRoute } from './routes.ts';

test('the addresses of the app lead to their pages', () => {
  assert.deepEqual(matchRoute('/'), { name: 'feed' });
  assert.deepEqual(matchRoute('/posts/42'), { name: 'post', id: '42' });
  assert.deepEqual(matchRoute('/users/vera_s'), { name: 'user', username: 'vera_s' });
  assert.deepEqual(matchRoute('/settings'), { name: 'settings' });
});

test('a malformed id is still a post, a missing one', () => {
  assert.deepEqual(matchRoute('/posts/abc'), { name: 'post', id: 'abc' });
  assert.deepEqual(matchRoute('/posts/%D0%B9'), { name: 'post', id: 'й' });
  assert.deepEqual(matchRoute('/posts/%zz'), { name: 'post', id: '%zz' });
});

test('any other address has no page', () => {
  for (const path of ['/posts', '/posts/', '/posts/1/', '/posts/1/2', '/users/', '/settings/', '//', '/Posts/1']) {
    assert.deepEqual(matchRoute(path), { name: 'not-found' }, path);
  }
});
