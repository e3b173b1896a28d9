import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { processorMs } from '../test/kit/processor-time.ts';
import { addresses, siteFiles } from './addresses.ts';
import type { Call } from './call.ts';
import { calls, callTable } from './calls.ts';
import { normalizeEmail } from './email.ts';
import type { CallTypes } from './endpoint.ts';
import * as values from './example-values.ts';
import { keeperActs, moderationReasons } from './keeper-acts.ts';
import { normalizePostText } from './text.ts';
import { isUsername } from './username.ts';

test('every part of an example satisfies its schema', () => {
  for (const [key, { example, ...schemas }] of Object.entries<Call>(calls)) {
    for (const part of ['params', 'query', 'body', 'reply', 'accepted'] as const satisfies ReadonlyArray<
      keyof CallTypes
    >) {
      const schema = schemas[part];
      if (!schema) assert.equal(example[part], undefined, `${key}: ${part}`);
      // Optional parts of a query need no example.
      else if (part !== 'query' || example.query !== undefined) {
        assert.deepEqual(Value.Errors(schema, example[part]), [], `${key}: ${part}`);
      }
    }
  }
});

test('every call is in one area, and its name is its own', () => {
  assert.deepEqual(callTable.map(({ method, path }) => `${method} ${path}`).toSorted(), Object.keys(calls).toSorted());
  assert.equal(new Set(callTable.map(({ name }) => name)).size, callTable.length);
  assert.ok(callTable.length > 100, 'the calls have been found');
});

test('no value that a curl line contains is a part of another one', () => {
  const { ownPostId, otherPostId, operationId, clientToken, confirmCode, email, newEmail, newUsername } = values;
  const put = [ownPostId, otherPostId, operationId, clientToken, confirmCode, email, newEmail, newUsername];
  for (const one of put) for (const other of put) assert.ok(one === other || !other.includes(one), `${one}, ${other}`);
});

test('ready-made reasons are accepted as they are, differ, and fit on a button', () => {
  for (const reason of moderationReasons) {
    assert.deepEqual(normalizePostText(reason), { ok: true, text: reason });
    assert.ok(reason.length <= 30, reason);
  }
  assert.equal(new Set(moderationReasons).size, moderationReasons.length);
});

test('what undoes an act is an act on the same kind of target', () => {
  for (const [name, act] of Object.entries(keeperActs)) {
    if (act?.inverse !== undefined) assert.equal(keeperActs[act.inverse]?.target, act.target, name);
  }
});

test('an address is stored trimmed, in lower case, with its domain in punycode, checked in milliseconds', () => {
  const long = (last: number) => `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(last)}.ru`;
  for (const [raw, stored] of [
    [' Anna.B+wall@Example.ORG ', 'anna.b+wall@example.org'],
    ['anna@Почта.РФ', 'anna@xn--80a1acny.xn--p1ai'],
    ['anna@xn--80a1acny.xn--p1ai', 'anna@xn--80a1acny.xn--p1ai'],
    ['Анна.И\u0306@Почта.РФ', 'анна.й@xn--80a1acny.xn--p1ai'],
    [`${'ж'.repeat(64)}@x.ru`, `${'ж'.repeat(64)}@x.ru`],
    [`${'ж'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.ru`, undefined],
    ...[
      'ан\u200bна@x.ru',
      'ан на@x.ru',
      'ан＠на@x.ru',
      'a@x_y.ru',
      'a@127.0.0.1',
      'a@@x.ru',
      'a@b@x.ru',
      'a@x..ru',
    ].map((wrong) => [wrong, undefined] as const),
    [long(58), long(58)],
    ...[long(59), 'anna', 'anna@', 'anna@example', 'anna@example.o', '@example.org', 'an na@example.org'].map(
      (wrong) => [wrong, undefined] as const,
    ),
  ] as const) {
    assert.equal(normalizeEmail(raw), stored, raw);
  }
  for (const raw of ['@'.repeat(4_000), `a@${'a.'.repeat(2_000)}`, `${'a'.repeat(4_000)}@b.ru`, ' '.repeat(100_000)]) {
    assert.ok(processorMs(() => assert.equal(normalizeEmail(raw), undefined)) < 100);
  }
});

test('a username is 5 to 32 ASCII letters, digits and underscores', () => {
  for (const name of ['anna_', 'ANNA_1', '_____', '12345', 'x'.repeat(32)]) assert.ok(isUsername(name), name);
  for (const name of [
    '',
    'x'.repeat(33),
    'anna b',
    ...'anna anna-b anna\tb аннаа \u212aelvin ſsssss anna1\n １２３４５'.split(' '),
  ]) {
    assert.ok(!isUsername(name), name);
  }
});

test('a path leads to at most one page', () => {
  const matching = (path: string): string =>
    Object.entries(addresses)
      .flatMap(([name, { match }]) => (match(path) ? [name] : []))
      .join();
  for (const [name, { path }] of Object.entries(addresses)) {
    assert.equal(matching(path.replace(/\{\w+:?(\w*).*\}/, (_, first) => first || 'other')), name);
  }
  for (const none of [
    '/posts /posts/ /posts/1/ /posts/1/2 /Posts/1 // /users/ /liked/ /own /own/post /undo-email/other /unsubscribe/used',
    '/settings/ /settings/account /settings/email /moderation/other /moderation/people/',
  ]) {
    for (const path of none.split(' ')) assert.equal(matching(path), '', path);
  }
});

test('parameters and a query are written into a path and read from it, also those that cannot be decoded', () => {
  assert.equal(addresses.post.href({ id: '42' }), '/posts/42');
  assert.equal(addresses.user.href({ username: 'a/б' }), '/users/a%2F%D0%B1');
  assert.equal(addresses.undoEmailOutcome.href({ outcome: 'done' }), '/undo-email/done');
  assert.deepEqual(addresses.user.match('/users/a%2F%D0%B1'), { username: 'a/б' });
  assert.deepEqual(addresses.undoEmailOutcome.match('/undo-email/used'), { outcome: 'used' });
  assert.equal(siteFiles.userFeed.href({ username: 'vera_s' }), '/users/vera_s/feed.xml');
  assert.equal(siteFiles.sitemapPart.href({ part: '3' }), '/sitemap-3.xml');
  assert.equal(addresses.undoEmail.href({}, { token: 'a-b_c' }), '/undo-email?token=a-b_c');
  assert.equal(siteFiles.feed.href({}, { cursor: 'c1' }), '/feed.xml?cursor=c1');
  assert.deepEqual(addresses.post.match('/posts/abc'), { id: 'abc' });
  assert.deepEqual(addresses.post.match('/posts/%D0%B9'), { id: 'й' });
  assert.deepEqual(addresses.post.match('/posts/%zz'), { id: '%zz' });
});
