import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Post } from '#contract/posts.ts';
import { normalizePostText } from '#contract/text.ts';
import { outcome, publish, register, renew } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';

const onWall = onWalls();

onWall('writing a post of an account that has just been deleted is not returned', async (wall) => {
  const anna = await register(wall);
  await wall.db.tx(({ db }) =>
    db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', Number(anna.id)).execute(),
  );
  assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'поздно' })), [404, 'NOT_FOUND']);
});

onWall('writing an empty, too long or malformed text is refused with the reason', async (wall) => {
  const anna = await register(wall);
  const { id } = await publish(anna, 'есть');
  for (const [method, path] of [
    ['POST', '/posts'],
    ['POST', `/posts/${id}/replies`],
    ['PATCH', `/posts/${id}`],
  ] as const) {
    for (const text of ['', ' \u2800\u200b\n', 'ж'.repeat(501), 'нуль\0', '\ud800']) {
      const response = await anna.send(method, path, { text });
      assert.equal(response.statusCode, 400);
      const { code, message } = response.json();
      assert.equal(code, 'INVALID_REQUEST');
      assert.match(message, /текст/i);
    }
    assert.deepEqual(await outcome(anna.send(method, path, { text: 'да', owner: 1 })), [400, 'INVALID_REQUEST']);
  }
  assert.equal((await publish(anna, '😀'.repeat(500))).text, '😀'.repeat(500));
});

onWalls({ RATE_LIMITS: 'off' })(
  'writing an accepted text is returned as it was stored, byte for byte',
  async (wall) => {
    const anna = await register(wall);
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '\r\n\n\n\n',
        '\u202e',
        'и\u0306',
        '\u0301'.repeat(20),
        '\0',
        '\ud800',
        '\u200b',
        '👩‍👩‍👧',
        "';--",
        '\\',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const raw = pieces.join('');
        const response = await anna.send('POST', '/posts', { text: raw });
        const stored = normalizePostText(raw);
        if (!stored.ok) return response.statusCode === 400 && response.json().message === stored.reason;
        const { text } = (await wall.get(`/api/v1/posts/${response.json().id}`)).json;
        return response.statusCode === 201 && text === stored.text;
      }),
      { numRuns: 200 },
    );
  },
);

onWalls({ EDIT_WINDOW_SECONDS: '60' })(
  'writing an edit is allowed until the window and its grace are over, and shown everywhere',
  async (wall) => {
    const anna = await register(wall);
    const post = await publish(anna, 'было');
    const reply: Post = (await anna.send('POST', `/posts/${post.id}/replies`, { text: 'ответ' })).json();
    await wall.get('/api/v1/posts');
    await wall.get('/api/v1/posts');
    const response = await anna.send('PATCH', `/posts/${post.id}`, { text: 'стало' });
    assert.equal(response.statusCode, 200);
    const edited: Post = response.json();
    assert.deepEqual([edited.text, edited.is_modified, edited.created_at], ['стало', true, post.created_at]);
    assert.equal((await wall.get('/api/v1/posts')).json.posts[0].text, 'стало');
    assert.equal((await wall.get(`/api/v1/posts/${reply.id}`)).json.actions.replied_post.text, 'стало');

    assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${post.id}`, { text: ' стало ' })), [
      400,
      'INVALID_REQUEST',
    ]);
    wall.clock.now = post.created_at + 65;
    assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${post.id}`, { text: 'успела' })), [200]);
    wall.clock.now += 1;
    assert.deepEqual(await outcome(anna.send('PATCH', `/posts/${post.id}`, { text: 'поздно' })), [
      403,
      'EDIT_PERIOD_EXPIRED',
    ]);
    assert.equal((await wall.get(`/api/v1/posts/${post.id}`)).json.text, 'успела');
    assert.deepEqual(await outcome(anna.send('PATCH', '/posts/999', { text: 'нет' })), [404, 'NOT_FOUND']);
  },
);

onWall('limits of writing an idempotency key writes once a day, whatever the body', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const key = { 'idempotency-key': 'ключ'.replace(/./g, 'k') };
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => anna.send('POST', '/posts', { text: 'однажды' }, key)),
  );
  assert.ok(responses.every(({ statusCode }) => statusCode === 201));
  assert.equal(new Set(responses.map((response) => response.json().id)).size, 1);
  const { id } = responses[0]!.json();
  assert.equal((await anna.send('POST', '/posts', { text: 'другое' }, key)).json().id, id);
  assert.equal((await anna.send('POST', `/posts/${id}/replies`, { text: 'ответ' }, key)).json().id, id);
  // The same key of another person is a different key.
  assert.notEqual((await boris.send('POST', '/posts', { text: 'однажды' }, key)).json().id, id);
  assert.equal((await wall.get('/api/v1/posts')).json.total, 2);

  assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${id}`)), [204]);
  assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'однажды' }, key)), [404, 'NOT_FOUND']);
  assert.deepEqual(await outcome(anna.send('POST', `/posts/${id}/restoration`)), [200]);
  assert.equal((await anna.send('POST', '/posts', { text: 'однажды' }, key)).json().id, id);
  assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${id}`)), [204]);
  assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'однажды' }, key)), [404, 'NOT_FOUND']);
  wall.clock.now += 24 * 3_600;
  await renew(anna);
  assert.equal((await anna.send('POST', '/posts', { text: 'назавтра' }, key)).statusCode, 201);
  assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'я' }, { 'idempotency-key': 'а б' })), [
    400,
    'INVALID_REQUEST',
  ]);
});

onWall('limits of writing a refused post does not use its idempotency key', async (wall) => {
  const anna = await register(wall);
  for (let i = 0; i < 40; i += 1) await publish(anna, `запись ${i}`);
  const key = { 'idempotency-key': 'k1' };
  assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'шестая' }, key)), [429, 'TOO_MANY_REQUESTS']);
  assert.deepEqual(await outcome(anna.send('POST', '/posts/999/replies', { text: 'куда' }, key)), [
    429,
    'TOO_MANY_REQUESTS',
  ]);
  wall.clock.now += 10;
  assert.deepEqual(await outcome(anna.send('POST', '/posts/999/replies', { text: 'куда' }, key)), [404, 'NOT_FOUND']);
  assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'шестая' }, key)), [201]);
});

onWall('limits of writing budgets are exact under bursts, and repeated requests with a key are free', async (wall) => {
  const [anna, boris] = [await register(wall), await register(wall)];
  const first = await anna.send('POST', '/posts', { text: 'первая' }, { 'idempotency-key': 'k' });
  const burst = await Promise.all(
    Array.from({ length: 50 }, (_, i) => anna.send('POST', '/posts', { text: `запись ${i}` })),
  );
  assert.equal(burst.filter(({ statusCode }) => statusCode === 201).length, 39);
  const refused = burst.find(({ statusCode }) => statusCode === 429)!;
  assert.equal(refused.headers['retry-after'], '10');
  assert.equal(
    (await anna.send('POST', '/posts', { text: 'первая' }, { 'idempotency-key': 'k' })).json().id,
    first.json().id,
  );

  const ids = await Promise.all(Array.from({ length: 70 }, (_, i) => wall.post(Number(anna.id), `${i}`)));
  const likes = await Promise.all(ids.map((id) => boris.send('POST', `/posts/${id}/likes`)));
  assert.equal(likes.filter(({ statusCode }) => statusCode === 200).length, 60);
  assert.equal((await boris.send('GET', '/posts?filter=liked')).json().total, 60);

  const reports = await Promise.all(
    ids.slice(0, 50).map((id) => boris.send('POST', `/posts/${id}/reports?reason_id=spam`)),
  );
  assert.equal(reports.filter(({ statusCode }) => statusCode === 204).length, 40);
});

onWalls({ ACCESS_TOKEN_SECONDS: '200000' })(
  'limits of writing after forty posts and replies at once there are six a minute, and a thousand a day',
  async (wall) => {
    const [anna, boris] = [await register(wall), await register(wall)];
    const { id } = await publish(anna, 'первая');
    for (let i = 1; i < 40; i += 1) await publish(anna, `${i}`, i % 2 ? '/posts' : `/posts/${id}/replies`);
    const tryOnce = (by = anna) => by.send('POST', '/posts', { text: 'ещё' });
    for (let i = 0; i < 12; i += 1) {
      assert.equal((await tryOnce()).headers['retry-after'], '10');
      wall.clock.now += 9;
      assert.equal((await tryOnce()).headers['retry-after'], '1');
      wall.clock.now += 1;
      assert.equal((await tryOnce()).statusCode, 201);
    }
    // Unused writes become available again, forty at most.
    wall.clock.now += 3_600;
    for (let i = 0; i < 40; i += 1) await publish(anna, `${i}`);
    assert.equal((await tryOnce()).statusCode, 429);

    const before = wall.clock.now - 10 * 3_600;
    const hits = JSON.stringify(Array.from({ length: 999 }, (_, i) => before + 20 * i));
    const row = { key: `posts ${boris.id}`, hits, expires_at: before + 24 * 3_600 };
    await wall.db.tx(({ db }) => db.insertInto('budgets').values(row).execute());
    assert.equal((await tryOnce(boris)).statusCode, 201);
    const refused = await tryOnce(boris);
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, String(14 * 3_600)]);
  },
);
