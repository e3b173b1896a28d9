import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addresses, siteFiles } from './addresses.ts';

const matching = (path: string): string[] =>
  Object.entries(addresses).flatMap(([name, { match }]) => (match(path) ? [name] : []));

test('a path leads to at most one page', () => {
  for (const [path, name] of [
    ['/', 'feed'],
    ['/posts/42', 'post'],
    ['/users/vera_s', 'user'],
    ['/liked', 'liked'],
    ['/own/posts', 'ownPosts'],
    ['/own/replies', 'ownReplies'],
    ['/notifications', 'notifications'],
    ['/settings', 'settings'],
    ['/settings/account/username', 'settingsUsername'],
    ['/settings/devices', 'settingsDevices'],
    ['/settings/notifications', 'settingsNotifications'],
    ['/moderation', 'moderation'],
    ['/moderation/people', 'moderationSection'],
    ['/moderation/people/vera_s', 'moderationPerson'],
    ['/undo-email', 'undoEmail'],
    ['/undo-email/expired', 'undoEmailOutcome'],
    ['/unsubscribe', 'unsubscribe'],
    ['/unsubscribe/done', 'unsubscribeOutcome'],
  ] as const) {
    assert.deepEqual(matching(path), [name]);
  }
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
    '/moderation/other',
    '/moderation/people/',
    '/undo-email/other',
    '/unsubscribe/used',
    '//',
    '/Posts/1',
  ]) {
    assert.deepEqual(matching(path), [], path);
  }
});

test('parameters are written into a path and read from it', () => {
  assert.equal(addresses.post.href({ id: '42' }), '/posts/42');
  assert.equal(addresses.user.href({ username: 'a/б' }), '/users/a%2F%D0%B1');
  assert.equal(addresses.undoEmailOutcome.href({ outcome: 'done' }), '/undo-email/done');
  assert.deepEqual(addresses.user.match('/users/a%2F%D0%B1'), { username: 'a/б' });
  assert.deepEqual(addresses.undoEmailOutcome.match('/undo-email/used'), { outcome: 'used' });
  assert.equal(siteFiles.userFeed.href({ username: 'vera_s' }), '/users/vera_s/feed.xml');
  assert.equal(siteFiles.sitemapPart.href({ part: '3' }), '/sitemap-3.xml');
});

test('a query follows the path', () => {
  assert.equal(addresses.undoEmail.href({}, { token: 'a-b_c' }), '/undo-email?token=a-b_c');
  assert.equal(siteFiles.feed.href({}, { cursor: 'c1' }), '/feed.xml?cursor=c1');
});

test('a parameter that cannot be decoded is returned unchanged', () => {
  assert.deepEqual(addresses.post.match('/posts/abc'), { id: 'abc' });
  assert.deepEqual(addresses.post.match('/posts/%D0%B9'), { id: 'й' });
  assert.deepEqual(addresses.post.match('/posts/%zz'), { id: '%zz' });
});
