import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addresses } from '#contract/addresses.ts';
import { emailProblem } from '#contract/email.ts';
import { purposeOf } from '../features/sign-in/purpose.ts';
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
  user: { id: '1', username: 'user_1', display_name: null, face: null, about: null, email: 'anna@example.org' },
};

test('finds the page of a path, or the page of all other addresses', () => {
  const match = pageMatcher([feed, post], notFound);
  assert.deepEqual(match('/'), { page: feed, params: {} });
  assert.deepEqual(match('/posts/42'), { page: post, params: { id: '42' } });
  assert.equal(match('/liked').page, notFound);
});

test('everybody sees a public page at once; one for signed-in people waits for the session', () => {
  const failed: SessionState = { is: 'signed-out', failure: 'Нет соединения.' };
  for (const state of [authorizing, signedOut, authorized, failed])
    assert.equal(screenFor(state, publicList), publicList);
  for (const screen of [secured, ownList]) {
    assert.equal(screenFor(authorizing, screen).is, 'loading');
    assert.equal(screenFor(signedOut, screen).is, 'sign-in-needed');
    assert.equal(screenFor(authorized, screen), screen);
    const { is, ...rest } = screenFor(failed, screen);
    assert.deepEqual([is, 'message' in rest && rest.message], ['session-failed', 'Нет соединения.']);
  }
});

test('a page for visitors, too, asks to sign in once a load was refused, and is loaded for those who do', () => {
  const reply: Page = { ...page(addresses.postReply, 'public'), module: {} as NonNullable<Page['module']> };
  const unloaded: Screen = { path: '/posts/1/reply', page: reply, params: { id: '1' }, is: 'secured' };
  const refused: Screen = { ...unloaded, isRefused: true };
  assert.equal(screenFor(signedOut, unloaded), unloaded);
  assert.equal(screenFor(signedOut, refused).is, 'sign-in-needed');
  assert.equal(screenFor(authorized, refused), refused);
});

test('the query of a sign-in says what one signs in for: an act, a page, or a layer over one', () => {
  for (const [query, purpose] of [
    [{ for: 'like', next: '/' }, 'Чтобы поставить «Нравится», войдите.'],
    [{ for: 'follow' }, 'Чтобы следить за обсуждением, войдите.'],
    [{ for: 'mute' }, 'Чтобы не показывать автора, войдите.'],
    [{ next: '/posts/7/reply' }, 'Чтобы ответить, войдите.'],
    [{ next: '/?layer=%2Fnew%3Ftext%3D1' }, 'Чтобы опубликовать запись, войдите.'],
    [{ next: '/?layer=%2Fposts%2F7%2Freport' }, 'Чтобы пожаловаться, войдите.'],
    [{ next: '/liked' }, 'Чтобы увидеть понравившиеся записи, войдите.'],
    [{ next: '/own/posts' }, 'Чтобы увидеть свои записи, войдите.'],
    [{ next: '/own/replies' }, 'Чтобы увидеть свои ответы, войдите.'],
    [{ next: '/notifications' }, 'Чтобы увидеть уведомления, войдите.'],
    [{ for: 'anything', next: '/settings' }, undefined],
    [{ next: '/' }, undefined],
  ] as const)
    assert.equal(purposeOf(new URLSearchParams(query)), purpose);
});

test('a sign-in without an address, or with what is none, says so', () => {
  const wrong = ['anna@example', 'anna@.ru', 'anna@x.r', '@x.ru', 'an na@x.ru', 'anna@x .ru', 'x.y@ru'];
  // The form accepts every address that the specification's pattern accepts, even those that the server refuses.
  const right = [' Anna@почта.рф ', 'анна@x.ru', 'a@b@x.ru', 'a@x_y.ru', 'a@x..ru', '@@x.ru'];
  assert.equal(emailProblem('  '), 'Введите email');
  assert.deepEqual(
    wrong.filter((typed) => emailProblem(typed) !== 'Введите корректный email'),
    [],
  );
  assert.deepEqual(
    right.filter((typed) => emailProblem(typed) !== null),
    [],
  );
});
