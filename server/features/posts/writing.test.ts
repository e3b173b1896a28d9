import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Post } from '#contract/posts.ts';
import { normalizePostText } from '#contract/text.ts';
import { type Browser, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';

interface Writer extends Browser {
  id: string;
  username: string;
}

/** A newly registered person. */
async function newWriter(wall: Wall): Promise<Writer> {
  const browser = openBrowser(wall);
  await browser.enter('registrations', newAddress());
  const { id, username } = (await browser.send('GET', '/users/current')).json();
  return Object.assign(browser, { id, username });
}

async function published(writer: Browser, text: string): Promise<Post> {
  const response = await writer.send('POST', '/posts', { text });
  assert.equal(response.statusCode, 201, response.body);
  return response.json();
}

/** The status and code of an error response. */
const outcome = async (sending: ReturnType<Browser['send']>): Promise<[number, string?]> => {
  const response = await sending;
  return response.statusCode < 400 ? [response.statusCode] : [response.statusCode, response.json().code];
};

const counts = (post: Post): [number, number] => [post.actions.likes_count, post.actions.replies_count];

for (const engine of engines) {
  describe(`writing on ${engine}`, () => {
    test('publishing returns the whole post, which is first in the feed', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await newWriter(wall);
      await published(anna, 'первая');
      const response = await anna.send('POST', '/posts', { text: '  вторая\r\nстрока  ' });
      assert.equal(response.statusCode, 201);
      assert.equal(response.headers['cache-control'], 'no-store');
      const post: Post = response.json();
      const { text, created_at: createdAt, is_modified: isModified, owner, actions } = post;
      assert.deepEqual([text, createdAt, isModified], ['вторая\nстрока', wall.clock.now, false]);
      assert.deepEqual(owner, { id: anna.id, username: anna.username });
      assert.deepEqual(actions, {
        is_liked: false,
        likes_count: 0,
        replies_count: 0,
        thread_count: 0,
        parent_post_id: null,
        replied_post_id: null,
        replied_post: null,
      });
      assert.deepEqual((await wall.get(`/api/v1/posts/${post.id}`)).json, post);
      assert.deepEqual((await wall.get('/api/v1/posts')).json.posts[0], post);
      assert.deepEqual((await wall.get(`/api/v1/posts?userId=${anna.id}`)).json.total, 2);
    });

    test('a reply names the answered post and the root of its thread, and is counted', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await newWriter(wall), await newWriter(wall)];
      const root = await published(anna, 'вопрос');
      await boris.send('POST', `/posts/${root.id}/likes`);
      const reply: Post = (await boris.send('POST', `/posts/${root.id}/replies`, { text: 'ответ' })).json();
      assert.deepEqual([reply.actions.replied_post_id, reply.actions.parent_post_id], [root.id, root.id]);
      // The quote contains the writer's own like.
      assert.deepEqual(
        [reply.actions.replied_post?.actions.is_liked, reply.actions.replied_post?.actions.replies_count],
        [true, 1],
      );
      const nested: Post = (await anna.send('POST', `/posts/${reply.id}/replies`, { text: 'ещё' })).json();
      assert.deepEqual([nested.actions.replied_post_id, nested.actions.parent_post_id], [reply.id, root.id]);
      assert.deepEqual(counts((await wall.get(`/api/v1/posts/${root.id}`)).json), [1, 1]);
      assert.equal((await wall.get('/api/v1/posts')).json.total, 1);

      await anna.send('DELETE', `/posts/${root.id}`);
      assert.deepEqual(await outcome(boris.send('POST', `/posts/${root.id}/replies`, { text: 'поздно' })), [
        404,
        'NOT_FOUND',
      ]);
      assert.deepEqual(await outcome(boris.send('POST', '/posts/нет/replies', { text: 'куда' })), [404, 'NOT_FOUND']);
    });

    test('an empty, too long or malformed text is refused with the reason', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await newWriter(wall);
      const { id } = await published(anna, 'есть');
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
      assert.equal((await published(anna, '😀'.repeat(500))).text, '😀'.repeat(500));
    });

    test('an accepted text is returned as it was stored, byte for byte', async (t) => {
      const wall = await openWall(engine, { RATE_LIMITS: 'off' });
      t.after(wall.close);
      const anna = await newWriter(wall);
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
          const kept = normalizePostText(raw);
          if (!kept.ok) return response.statusCode === 400 && response.json().message === kept.reason;
          const { text } = (await wall.get(`/api/v1/posts/${response.json().id}`)).json;
          return response.statusCode === 201 && text === kept.text;
        }),
        { numRuns: engine === 'sqlite' ? 500 : 150 },
      );
    });

    test('needs a session', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const visitor = openBrowser(wall);
      const id = await wall.post(await wall.person('anna_petrova'), 'запись');
      for (const [method, path, body] of [
        ['POST', '/posts', { text: 'я' }],
        ['POST', `/posts/${id}/replies`, { text: 'я' }],
        ['PATCH', `/posts/${id}`, { text: 'я' }],
        ['DELETE', `/posts/${id}`],
        ['POST', `/posts/${id}/likes`],
        ['DELETE', `/posts/${id}/likes`],
        ['POST', `/posts/${id}/reports?reason_id=spam`],
        ['GET', '/posts/replies'],
        ['GET', '/posts?filter=liked'],
      ] as const) {
        assert.deepEqual(await outcome(visitor.send(method, path, body)), [401, 'UNAUTHORIZED'], `${method} ${path}`);
      }
      assert.equal((await wall.get('/api/v1/posts')).json.total, 1);
    });

    test('only the owner edits and deletes, and cannot report the own post', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await newWriter(wall), await newWriter(wall)];
      const { id } = await published(anna, 'моё');
      assert.deepEqual(await outcome(boris.send('PATCH', `/posts/${id}`, { text: 'чужое' })), [403, 'FORBIDDEN']);
      assert.deepEqual(await outcome(boris.send('DELETE', `/posts/${id}`)), [403, 'FORBIDDEN']);
      assert.deepEqual(await outcome(anna.send('POST', `/posts/${id}/reports?reason_id=spam`)), [403, 'FORBIDDEN']);
      assert.equal((await wall.get(`/api/v1/posts/${id}`)).json.text, 'моё');
    });

    test('an edit is allowed until the window and its grace are over, and shown everywhere', async (t) => {
      const wall = await openWall(engine, { EDIT_WINDOW_SECONDS: '60' });
      t.after(wall.close);
      const anna = await newWriter(wall);
      const post = await published(anna, 'было');
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
    });

    test('a deleted post disappears from every list and count; its replies stay', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await newWriter(wall), await newWriter(wall)];
      const root = await published(anna, 'корень');
      const reply: Post = (await boris.send('POST', `/posts/${root.id}/replies`, { text: 'ответ' })).json();
      await boris.send('POST', `/posts/${root.id}/likes`);
      assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${root.id}`)), [204]);
      assert.deepEqual(await outcome(anna.send('DELETE', `/posts/${root.id}`)), [404, 'NOT_FOUND']);
      assert.deepEqual(await outcome(boris.send('GET', `/posts/${root.id}`)), [404, 'NOT_FOUND']);
      assert.equal((await boris.send('GET', '/posts?filter=liked')).json().total, 0);
      assert.equal((await boris.send('GET', `/posts?userId=${anna.id}`)).json().total, 0);
      const { actions } = (await boris.send('GET', `/posts/${reply.id}`)).json();
      assert.deepEqual([actions.replied_post_id, actions.replied_post], [root.id, null]);
      assert.equal((await boris.send('GET', '/posts/replies')).json().total, 1);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('liking twice counts once, and the latest like is first in the list', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await newWriter(wall), await newWriter(wall)];
      const posts = [await published(anna, 'один'), await published(anna, 'два'), await published(anna, 'три')];
      const reply: Post = (await anna.send('POST', `/posts/${posts[0]!.id}/replies`, { text: 'ответ' })).json();
      for (const id of [posts[2]!.id, reply.id, posts[0]!.id, posts[0]!.id]) {
        assert.deepEqual((await boris.send('POST', `/posts/${id}/likes`)).json(), { likes_count: 1 });
      }
      const liked = (await boris.send('GET', '/posts?filter=liked&limit=2')).json();
      assert.deepEqual(
        [liked.total, liked.lastPage, liked.posts.map(({ id }: Post) => id)],
        [3, 2, [posts[0]!.id, reply.id]],
      );
      assert.equal(liked.posts[1].actions.replied_post.id, posts[0]!.id);
      assert.ok(liked.posts.every(({ actions }: Post) => actions.is_liked));
      // Likes added or removed since do not shift the following page.
      await boris.send('POST', `/posts/${posts[1]!.id}/likes`);
      await boris.send('DELETE', `/posts/${reply.id}/likes`);
      const rest = (await boris.send('GET', `/posts?filter=liked&limit=2&cursor=${liked.next}`)).json();
      assert.deepEqual([rest.posts.map(({ id }: Post) => id), rest.next], [[posts[2]!.id], null]);
      assert.deepEqual((await boris.send('DELETE', `/posts/${reply.id}/likes`)).json(), { likes_count: 0 });
      assert.equal((await anna.send('GET', '/posts?filter=liked')).json().total, 0);
      assert.deepEqual(await outcome(boris.send('POST', '/posts/999/likes')), [404, 'NOT_FOUND']);
      assert.deepEqual(await outcome(boris.send('DELETE', '/posts/999/likes')), [404, 'NOT_FOUND']);
    });

    test('the list of own replies contains only those, newest first', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await newWriter(wall), await newWriter(wall)];
      const root = await published(anna, 'корень');
      const ids: string[] = [];
      for (const [writer, text] of [
        [boris, 'раз'],
        [anna, 'не его'],
        [boris, 'два'],
        [boris, 'три'],
      ] as const) {
        wall.clock.now += 60;
        const reply: Post = (await writer.send('POST', `/posts/${root.id}/replies`, { text })).json();
        if (writer === boris) ids.unshift(reply.id);
      }
      const page = (await boris.send('GET', '/posts/replies?limit=2')).json();
      assert.deepEqual([page.total, page.posts.map(({ id }: Post) => id)], [3, ids.slice(0, 2)]);
      const rest = (await boris.send('GET', `/posts/replies?limit=2&cursor=${page.next}`)).json();
      assert.deepEqual([rest.posts.map(({ id }: Post) => id), rest.next], [ids.slice(2), null]);
      assert.deepEqual((await boris.send('GET', '/posts/replies?limit=2&page=2')).json().posts, rest.posts);
    });

    test('an idempotency key writes once a day, whatever the body', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await newWriter(wall), await newWriter(wall)];
      const key = { 'idempotency-key': 'ключ'.replace(/./g, 'k') };
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => anna.send('POST', '/posts', { text: 'однажды' }, key)),
      );
      assert.ok(responses.every(({ statusCode }) => statusCode === 201));
      assert.equal(new Set(responses.map((answer) => answer.json().id)).size, 1);
      const { id } = responses[0]!.json();
      assert.equal((await anna.send('POST', '/posts', { text: 'другое' }, key)).json().id, id);
      assert.equal((await anna.send('POST', `/posts/${id}/replies`, { text: 'ответ' }, key)).json().id, id);
      // The same key of another person is a different key.
      assert.notEqual((await boris.send('POST', '/posts', { text: 'однажды' }, key)).json().id, id);
      assert.equal((await wall.get('/api/v1/posts')).json.total, 2);

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

    test('a refused post does not use its idempotency key', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await newWriter(wall);
      for (let i = 0; i < 5; i += 1) await published(anna, `запись ${i}`);
      const key = { 'idempotency-key': 'k1' };
      assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'шестая' }, key)), [429, 'TOO_MANY_REQUESTS']);
      assert.deepEqual(await outcome(anna.send('POST', '/posts/999/replies', { text: 'куда' }, key)), [
        429,
        'TOO_MANY_REQUESTS',
      ]);
      wall.clock.now += 60;
      assert.deepEqual(await outcome(anna.send('POST', '/posts/999/replies', { text: 'куда' }, key)), [
        404,
        'NOT_FOUND',
      ]);
      assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'шестая' }, key)), [201]);
    });

    test('budgets are exact under bursts, and repeated requests with a key are free', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await newWriter(wall), await newWriter(wall)];
      const first = await anna.send('POST', '/posts', { text: 'первая' }, { 'idempotency-key': 'k' });
      const burst = await Promise.all(
        Array.from({ length: 30 }, (_, i) => anna.send('POST', '/posts', { text: `запись ${i}` })),
      );
      assert.equal(burst.filter(({ statusCode }) => statusCode === 201).length, 4);
      const refused = burst.find(({ statusCode }) => statusCode === 429)!;
      assert.equal(refused.headers['retry-after'], '60');
      assert.equal(
        (await anna.send('POST', '/posts', { text: 'первая' }, { 'idempotency-key': 'k' })).json().id,
        first.json().id,
      );

      const ids = await Promise.all(Array.from({ length: 70 }, (_, i) => wall.post(Number(anna.id), `${i}`)));
      const likes = await Promise.all(ids.map((id) => boris.send('POST', `/posts/${id}/likes`)));
      assert.equal(likes.filter(({ statusCode }) => statusCode === 200).length, 60);
      assert.equal((await boris.send('GET', '/posts?filter=liked')).json().total, 60);

      const reports = await Promise.all(
        ids.slice(0, 30).map((id) => boris.send('POST', `/posts/${id}/reports?reason_id=spam`)),
      );
      assert.equal(reports.filter(({ statusCode }) => statusCode === 204).length, 20);
    });

    test('allows at most a hundred posts a day', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await newWriter(wall);
      for (let i = 0; i < 20; i += 1) {
        wall.clock.now += 60;
        if (i % 9 === 0) await renew(anna);
        for (let j = 0; j < 5; j += 1) await published(anna, `${i} ${j}`);
      }
      wall.clock.now += 60;
      await renew(anna);
      const refused = await anna.send('POST', '/posts', { text: 'сто первая' });
      assert.equal(refused.statusCode, 429);
      assert.equal(Number(refused.headers['retry-after']), 24 * 3_600 - 20 * 60);
    });

    test('a report stores the text at that time, once per person and post', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await newWriter(wall), await newWriter(wall)];
      const { id } = await published(anna, 'плохое');
      const { reasons } = (await wall.get('/api/v1/reports/reasons')).json;
      assert.deepEqual(
        reasons.map(({ name }: { name: string }) => name),
        [
          'Спам',
          'Оскорбления и травля',
          'Призывы к насилию',
          'Мошенничество',
          'Материалы 18+',
          'Личные данные',
          'Другое',
        ],
      );
      const report = (reason: string) => outcome(boris.send('POST', `/posts/${id}/reports?reason_id=${reason}`));
      assert.deepEqual(await report('нет'), [400, 'INVALID_REQUEST']);
      assert.deepEqual(await outcome(boris.send('POST', `/posts/${id}/reports`)), [400, 'INVALID_REQUEST']);
      assert.deepEqual(await report(reasons[1].id), [204]);
      await anna.send('PATCH', `/posts/${id}`, { text: 'хорошее' });
      assert.deepEqual(await report(reasons[2].id), [204]);
      await anna.send('DELETE', `/posts/${id}`);
      assert.deepEqual(await report(reasons[2].id), [404, 'NOT_FOUND']);
      const kept = await wall.db.read
        .selectFrom('reports')
        .select(['post_id', 'user_id', 'owner_id', 'reason_id', 'text'])
        .execute();
      assert.deepEqual(
        kept.map((row) => ({ ...row })),
        [
          {
            post_id: Number(id),
            user_id: Number(boris.id),
            owner_id: Number(anna.id),
            reason_id: reasons[1].id,
            text: 'плохое',
          },
        ],
      );
    });
  });
}

/** The test's clock has passed the end of the access token. */
async function renew(browser: Browser): Promise<void> {
  const response = await browser.send('PATCH', '/sessions/current', { clientToken: browser.clientToken });
  browser.token = response.json().accessToken.token;
}
