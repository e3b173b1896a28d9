import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedViewAt, feedViews } from '../layout/feed-views.ts';
import { isPersonal, isSecured, matchRoute } from './routes.ts';

test('the addresses of the app lead to their pages', () => {
  assert.deepEqual(matchRoute('/'), { name: 'feed' });
  assert.deepEqual(matchRoute('/posts/42'), { name: 'post', id: '42' });
  assert.deepEqual(matchRoute('/users/vera_s'), { name: 'user', username: 'vera_s' });
  assert.deepEqual(matchRoute('/settings'), { name: 'settings' });
});

test('every view of the feed stands at its own address, all but the first for signed-in people only', () => {
  for (const [name, { path }] of Object.entries(feedViews)) {
    const route = matchRoute(path);
    assert.equal(route.name, name);
    assert.deepEqual([isPersonal(route), isSecured(route)], name === 'feed' ? [false, false] : [true, true], path);
  }
});

test('answers to a person are theirs, and no view of the feed', () => {
  const route = matchRoute('/answers');
  assert.deepEqual([route.name, isPersonal(route), isSecured(route)], ['answers', true, true]);
  assert.equal(feedViewAt('/answers'), undefined);
});

test('settings are secured, what all may read is not', () => {
  for (const [path, name] of [
    ['/settings', 'settings'],
    ['/settings/account/email', 'settings-email'],
    ['/settings/account/username', 'settings-username'],
    ['/settings/account/deletion', 'settings-deletion'],
    ['/settings/devices', 'settings-devices'],
    ['/settings/muted', 'settings-muted'],
  ] as const) {
    assert.deepEqual([matchRoute(path).name, isSecured(matchRoute(path))], [name, true]);
  }
  for (const path of ['/posts/42', '/users/vera_s', '/nowhere']) assert.equal(isSecured(matchRoute(path)), false, path);
});

test('a malformed id is still a post, a missing one', () => {
  assert.deepEqual(matchRoute('/posts/abc'), { name: 'post', id: 'abc' });
  assert.deepEqual(matchRoute('/posts/%D0%B9'), { name: 'post', id: 'й' });
  assert.deepEqual(matchRoute('/posts/%zz'), { name: 'post', id: '%zz' });
});

test('any other address has no page', () => {
  for (const path of [
    '/posts',
    '/posts/',
    '/posts/1/',
    '/posts/1/2',
    '/users/',
    '/settings/',
    '/settings/account',
    '/settings/email',
    '/liked/',
    '/own',
    '/own/post',
    '//',
    '/Posts/1',
  ]) {
    assert.deepEqual(matchRoute(path), { name: 'not-found' }, path);
  }
});
