import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteServerTime, serverNow } from '../../lib/server-clock.ts';
import { createAccessTokens } from './access-tokens.ts';

function tokensFor(lifetimes: number[]) {
  let requests = 0;
  const tokens = createAccessTokens(async () => {
    const lifetime = lifetimes[requests++]!;
    return { token: `token ${requests}`, expiresAt: serverNow() + lifetime };
  });
  return { tokens, requests: () => requests };
}

test('renews once for all waiting calls', async () => {
  const { tokens, requests } = tokensFor([600]);
  const got = await Promise.all(Array.from({ length: 20 }, () => tokens.current()));
  assert.deepEqual(new Set(got), new Set(['token 1']));
  assert.equal(requests(), 1);
});

test('renews a token 20 seconds before it expires on the server’s clock', async () => {
  noteServerTime('Fri, 20 Nov 2026 10:00:00 GMT');
  const { tokens } = tokensFor([25, 15, 600]);
  assert.equal(await tokens.current(), 'token 1');
  assert.equal(await tokens.current(), 'token 1');
  noteServerTime('Fri, 20 Nov 2026 10:00:10 GMT');
  assert.equal(await tokens.current(), 'token 2');
  assert.equal(await tokens.current(), 'token 3');
  assert.equal(await tokens.current(), 'token 3');
});

test('renews once for all calls rejected with the same token', async () => {
  const { tokens, requests } = tokensFor([600, 600]);
  const worn = await tokens.current();
  assert.deepEqual(await Promise.all([tokens.replace(worn), tokens.replace(worn)]), ['token 2', 'token 2']);
  assert.equal(await tokens.replace(worn), 'token 2');
  assert.equal(requests(), 2);
});

test('takes over the token that another tab has received', async () => {
  const { tokens, requests } = tokensFor([600, 600]);
  await tokens.current();
  tokens.adopt({ token: 'from another tab', expiresAt: serverNow() + 600 });
  assert.equal(await tokens.replace('token 1'), 'from another tab');
  assert.equal(requests(), 1);
});

test('renews again after a failure', async () => {
  let requests = 0;
  const tokens = createAccessTokens(async () => {
    if (++requests === 1) throw new Error('no network');
    return { token: 'token', expiresAt: serverNow() + 600 };
  });
  await assert.rejects(tokens.current(), /no network/);
  assert.equal(await tokens.current(), 'token');
});
