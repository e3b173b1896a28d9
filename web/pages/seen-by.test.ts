import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionState } from '../auth/session.ts';
import type { SecuredRoute } from '../router/routes.ts';
import type { View } from '../router/screen.ts';
import { seenBy } from './seen-by.ts';

const settings: View = { kind: 'secured', of: { name: 'settings' } };
const liked: View = { kind: 'personal', of: { name: 'liked' }, list: 2, hidden: [] };
const feed: View = { kind: 'feed', list: 1 };
const authorizing: SessionState = { is: 'authorizing' };
const signedOut: SessionState = { is: 'signed-out' };
const authorized: SessionState = {
  is: 'authorized',
  user: { id: '1', username: 'user_1', email: 'anna@example.org' },
};

test('a secured page waits, then shows itself or that one must sign in', () => {
  assert.deepEqual(seenBy(authorizing, settings), { kind: 'loading', of: { name: 'settings' } });
  assert.deepEqual(seenBy(signedOut, settings), { kind: 'sign-in-needed' });
  assert.equal(seenBy(authorized, settings), settings);
});

test('a list of one’s own is out of sight as soon as its reader is not here any more', () => {
  assert.equal(seenBy(authorized, liked), liked);
  assert.deepEqual(seenBy(authorizing, liked), { kind: 'loading', of: { name: 'liked' } });
  assert.deepEqual(seenBy(signedOut, liked), { kind: 'sign-in-needed' });
});

test('a secured page says so where it cannot be found out who is here', () => {
  const failed: SessionState = { is: 'signed-out', failure: 'Нет соединения.' };
  for (const view of [settings, liked]) {
    const { of } = view as { of: SecuredRoute };
    assert.deepEqual(seenBy(failed, view), { kind: 'session-failed', of, message: 'Нет соединения.' });
  }
  assert.equal(seenBy(failed, feed), feed);
});

test('what is public is seen by all, at once', () => {
  for (const state of [authorizing, signedOut, authorized]) assert.equal(seenBy(state, feed), feed);
});
