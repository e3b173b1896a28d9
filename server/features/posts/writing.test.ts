import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Post } from '#contract/posts.ts';
import { normalizePostText } from '#contract/text.ts';
import { openBrowser } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { outcome, publish, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';

const counts = (post: Post): [number, number] => [post.actions.likes_count, post.actions.replies_count];

for (const engine of engines) {
  describe(`writing on ${engine}`, () => {
    test('publishing returns the whole post, which is first in the feed', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await register(wall);
      await publish(anna, 'первая');
      const response = await anna.send('POST', '/posts', { text: '  вторая\r\nстрока  ' });
      assert.equal(response.statusCode, 201);
      assert.equal(response.headers['cache-control'], 'no-store');
      const post: Post = response.json();
      const { text, created_at: createdAt, is_modified: isModified, owner, actions } = post;
      assert.deepEqual([text, createdAt, isModified], ['вторая\nстрока', wall.clock.now, false]);
      assert.deepEqual(owner, { id: anna.id, username: anna.username, display_name: null });
      assert.deepEqual(actions, {
        is_liked: false,
        likes_count: 0,
        replies_count: 0,
        thread_count: 0,
        parent_post_id: null,
        replied_post_id: null,
        replied_post: null,
      });
      assert.equal((await anna.send('GET', `/posts/${post.id}`)).body, response.body);
      assert.deepEqual((await wall.get('/api/v1/posts')).json.posts[0], { ...post, last_reply: null });
      assert.deepEqual((await wall.get(`/api/v1/posts?userId=${anna.id}`)).json.total, 2);
    });

    test('a post of an account that has just been deleted is not returned', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await register(wall);
      await wall.db.tx(({ db }) =>
        db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', Number(anna.id)).execute(),
      );
      assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'поздно' })), [404, 'NOT_FOUND']);
    });

    test('a reply names the replied post and the root of its thread, and is counted', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await register(wall), await register(wall)];
      const root = await publish(anna, 'вопрос');
      await boris.send('POST', `/posts/${root.id}/likes`);
      const reply: Post = (await boris.send('POST', `/posts/${root.id}/replies`, { text: 'ответ' })).json();
      assert.deepEqual([reply.actions.replied_post_id, reply.actions.parent_post_id], [root.id, root.id]);
      // The quote contains the writer's own like.
      assert.deepEqual(
        [reply.actions.replied_post?.actions.is_liked, reply.actions.replied_post?.actions.replies_count],
        [true, 1],
      );
      await anna.send('PATCH', `/posts/${root.id}`, { text: 'вопрос точнее' });
      await anna.send('POST', `/posts/${reply.id}/likes`);
      for (const to of [root.id, reply.id]) {
        const response = await anna.send('POST', `/posts/${to}/replies`, { text: 'ещё' });
        const { id } = response.json() as Post;
        assert.equal((await anna.send('GET', `/posts/${id}`)).body, response.body);
        await anna.send('DELETE', `/posts/${id}`);
      }
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

    test('an accepted text is returned as it was stored, byte for byte', async (t) => {
      const wall = await openWall(engine, { RATE_LIMITS: 'off' });
      t.after(wall.close);
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
      const [anna, boris] = [await register(wall), await register(wall)];
      const { id } = await publish(anna, 'моё');
      assert.deepEqual(await outcome(boris.send('PATCH', `/posts/${id}`, { text: 'чужое' })), [403, 'FORBIDDEN']);
      assert.deepEqual(await outcome(boris.send('DELETE', `/posts/${id}`)), [403, 'FORBIDDEN']);
      assert.deepEqual(await outcome(anna.send('POST', `/posts/${id}/reports?reason_id=spam`)), [403, 'FORBIDDEN']);
      assert.equal((await wall.get(`/api/v1/posts/${id}`)).json.text, 'моё');
    });

    test('an edit is allowed until the window and its grace are over, and shown everywhere', async (t) => {
      const wall = await openWall(engine, { EDIT_WINDOW_SECONDS: '60' });
      t.after(wall.close);
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
    });

    test('a deleted post disappears from every list and count; its replies stay', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await register(wall), await register(wall)];
      const root = await publish(anna, 'корень');
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
  });
}
