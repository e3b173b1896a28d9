import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addresses } from '#contract/addresses.ts';
import type { SessionState } from '../features/session/session.ts';
import { type Page, pageMatcher } from './page.ts';
import { type Screen, screenFor } from './screen.ts';

const page = (address: Page['address'], access: Page['access']): Page => ({
  address,
  access,
  describe: () => ({ heading: '' }),
  Component: () => null,
});
const feed = page(addresses.feed, 'public');
const post = page(addresses.post, 'public');
const liked = page(addresses.liked, 'user');
const notFound = page(addresses.feed, 'public');

const secured: Screen = { path: '/liked', page: liked, params: {}, is: 'secured' };
const ownList: Screen = { path: '/liked', page: liked, params: {}, is: 'ready', shown: { list: 2, removed: [] } };
const publicList: Screen = { path: '/', page: feed, params: {}, is: 'ready', shown: { list: 1 } };
const authorizing: SessionState = { is: 'authorizing' };
const signedOut: SessionState = { is: 'signed-out' };
const authorized: SessionState = {
  is: 'authorized',
  user: { id: '1', username: 'user_1', display_name: null, about: null, email: 'anna@example.org' },
};

test('finds the page of a path, or the page of all other addresses', () => {
  const match = pageMatcher([feed, post], notFound);
  assert.deepEqual(match('/'), { page: feed, params: {} });
  assert.deepEqual(match('/posts/42'), { page: post, params: { id: '42' } });
  assert.equal(match('/liked').page, notFound);
});

for (const [name, screen] of [
  ['page', secured],
  ['list', ownList],
] as const) {
  test(`a ${name} for signed-in people waits for the session and then shows itself or asks to sign in`, () => {
    assert.equal(screenFor(authorizing, screen).is, 'loading');
    assert.equal(screenFor(signedOut, screen).is, 'sign-in-needed');
    assert.equal(screenFor(authorized, screen), screen);
  });

  test(`a ${name} for signed-in people reports that the session could not be loaded`, () => {
    const failed: SessionState = { is: 'signed-out', failure: 'Нет соединения.' };
    const { is, ...rest } = screenFor(failed, screen);
    assert.deepEqual([is, 'message' in rest && rest.message], ['session-failed', 'Нет соединения.']);
    assert.equal(screenFor(failed, publicList), publicList);
  });
}

test('everybody sees a public page at once', () => {
  for (const state of [authorizing, signedOut, authorized]) assert.equal(screenFor(state, publicList), publicList);
});
