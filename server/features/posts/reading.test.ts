import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Post, PostPage } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { likePost } from './likes.ts';

const texts = (page: PostPage): string[] => page.posts.map((post) => post.text);

for (const engine of engines) {
  describe(`reading posts on ${engine}`, () => {
    let wall: Wall;
    let anna: number;
    let boris: number;
    before(async () => {
      wall = await openWall(engine);
      anna = await wall.person('Anna_Petrova');
      boris = await wall.person('boris_77');
    });
    after(() => wall.close());

    const list = async (query = ''): Promise<PostPage> => {
      const { status, json } = await wall.get(`/api/v1/posts${query}`);
      assert.equal(status, 200, JSON.stringify(json));
      return json;
    };

    test('an empty wall is one empty page', async () => {
      assert.deepEqual(await list(), {
        posts: [],
        firstPage: 1,
        lastPage: 1,
        total: 0,
        next: null,
        previous: null,
        pinned: null,
      });
    });

    test('a post has exactly the fields of the contract', async () => {
      const id = await wall.post(anna, 'Первая запись');
      await wall.db.tx((tx) => likePost(tx, { postId: id, userId: boris, now: 1 }));
      assert.deepEqual((await wall.get(`/api/v1/posts/${id}`)).json, {
        id: String(id),
        text: 'Первая запись',
        created_at: wall.clock.now - 1,
        is_modified: false,
        owner: { id: String(anna), username: 'Anna_Petrova', display_name: null },
        actions: {
          is_liked: false,
          likes_count: 1,
          replies_count: 0,
          thread_count: 0,
          parent_post_id: null,
          replied_post_id: null,
          replied_post: null,
        },
      });
    });

    test('the feed contains root posts, newest first, in pages', async () => {
      for (let i = 2; i <= 34; i += 1) await wall.post(i % 2 ? anna : boris, `запись ${i}`);
      const root = await wall.post(anna, 'запись 35');
      await wall.reply(boris, root, 'ответ');

      const first = await list();
      assert.deepEqual(
        texts(first),
        Array.from({ length: 10 }, (_, i) => `запись ${35 - i}`),
      );
      assert.deepEqual([first.firstPage, first.lastPage, first.total], [1, 4, 35]);
      assert.deepEqual(texts(await list('?page=4')), ['запись 5', 'запись 4', 'запись 3', 'запись 2', 'Первая запись']);
      assert.equal((await list('?page=4')).next, null);
      assert.deepEqual(await list('?page=5'), {
        posts: [],
        firstPage: 1,
        lastPage: 4,
        total: 35,
        next: null,
        previous: 'c0',
      });
      assert.equal((await list('?limit=50')).posts.length, 35);
      assert.equal((await list('?limit=17&page=3')).posts.length, 1);
    });

    test('a cursor continues exactly after the last post received', async () => {
      const seen: string[] = [];
      const expected = texts(await list('?limit=50'));
      let page = await list('?limit=4');
      for (;;) {
        seen.push(...texts(page));
        if (page.next === null) break;
        // New posts and the deletion of the cursor's post shift pages, but not cursors.
        await wall.post(boris, 'между страницами');
        if (seen.length === 8) await wall.remove(Number(page.posts.at(-1)!.id));
        page = await list(`?limit=4&page=9&cursor=${page.next}`);
      }
      assert.deepEqual(seen, expected);
    });

    test('lists the root posts of one author', async () => {
      const page = await list(`?userId=${anna}&limit=50`);
      assert.ok(page.posts.length > 10);
      assert.ok(page.posts.every((post) => post.owner.id === String(anna) && post.actions.replied_post_id === null));
      assert.equal(page.total, page.posts.length);
      const second = await list(`?userId=${anna}&page=2`);
      assert.deepEqual(texts(second), texts(page).slice(10, 20));
      assert.deepEqual(
        (await list(`?userId=${anna}&limit=10&cursor=${(await list(`?userId=${anna}`)).next}`)).posts,
        second.posts,
      );
      for (const nobody of ['999999', 'abc', '0', '-1']) assert.equal((await list(`?userId=${nobody}`)).total, 0);
    });

    test('lists direct replies, newest first, with the post they quote', async () => {
      const root = await wall.post(anna, 'вопрос');
      const first = await wall.reply(boris, root, 'первый');
      const second = await wall.reply(anna, root, 'второй');
      const nested = await wall.reply(anna, first, 'ответ на первый');

      const { json: page } = await wall.get(`/api/v1/posts/${root}/replies`);
      assert.deepEqual(
        page.posts.map((post: Post) => [
          post.id,
          post.actions.replied_post?.text,
          post.actions.replied_post?.actions.replied_post,
        ]),
        [
          [String(second), 'вопрос', null],
          [String(first), 'вопрос', null],
        ],
      );
      assert.equal(page.total, 2);
      assert.equal((await wall.get(`/api/v1/posts/${root}`)).json.actions.replies_count, 2);

      const { json: deep } = await wall.get(`/api/v1/posts/${nested}`);
      assert.equal(deep.actions.replied_post_id, String(first));
      assert.equal(deep.actions.parent_post_id, String(root));
      assert.equal(deep.actions.replied_post.actions.replied_post_id, String(root));
    });

    test('a deleted post disappears everywhere; its replies stay', async () => {
      const root = await wall.post(anna, 'скоро исчезнет');
      const reply = await wall.reply(boris, root, 'останусь');
      const total = (await list()).total;
      await wall.remove(root);

      assert.equal((await wall.get(`/api/v1/posts/${root}`)).status, 404);
      assert.equal((await wall.get(`/api/v1/posts/${root}/replies`)).status, 404);
      assert.equal((await list()).total, total - 1);
      const { json } = await wall.get(`/api/v1/posts/${reply}`);
      assert.equal(json.actions.replied_post, null);
      assert.equal(json.actions.replied_post_id, String(root));
    });

    test('returns the author for the page of an author', async () => {
      const { json } = await wall.get('/api/v1/users/ANNA_petrova');
      assert.equal(json.username, 'Anna_Petrova');
      assert.equal(json.posts_count, (await list(`?userId=${anna}`)).total);
      assert.deepEqual(Object.keys(json), ['id', 'username', 'display_name', 'about', 'created_at', 'posts_count']);
      for (const name of ['nobody_here', 'x', 'anna%20petrova', '%00', '\u212aelvin_1'].map(encodeURI)) {
        assert.equal((await wall.get(`/api/v1/users/${name}`)).status, 404, name);
      }
    });

    test('a visitor has no liked posts', async () => {
      const { status, json } = await wall.get('/api/v1/posts?filter=liked');
      assert.deepEqual([status, json.code], [401, 'UNAUTHORIZED']);
    });

    test('a malformed id is handled like the id of a missing post', async () => {
      for (const id of ['0', '-1', '1e3', '01', 'abc', '99999999999999999999', '1.0', '%20', 'null']) {
        assert.equal((await wall.get(`/api/v1/posts/${id}`)).status, 404, id);
        assert.equal((await wall.get(`/posts/${id}`)).status, 404, id);
      }
    });

    test('refuses hostile paging and never returns more than 50 posts', async () => {
      for (const bad of [
        'page=0',
        'page=-1',
        'page=1e12',
        'page=NaN',
        `page=1${'0'.repeat(30)}`,
        'page=',
        'page=1&page=2',
        'limit=0',
        'limit=51',
        'limit=-1',
        'limit=5.5',
        'cursor=',
        'cursor=zz',
        'cursor=c',
        `cursor=c${'z'.repeat(11)}`,
        `cursor=${'c1'.repeat(100)}`,
        'filter=mine',
      ]) {
        const { status, json } = await wall.get(`/api/v1/posts?${bad}`);
        assert.deepEqual([status, json.code], [400, 'INVALID_REQUEST'], bad);
        assert.match(json.message, /[а-яё]/i);
      }
      const value = fc.oneof(
        fc.integer().map(String),
        fc.double().map(String),
        fc.string(),
        fc.constantFrom('1', '50', '999999999', 'c1'),
      );
      const name = fc.constantFrom('page', 'limit', 'cursor', 'before', 'at', 'userId', 'filter', 'x');
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), async (pairs) => {
          const { status, json } = await wall.get(`/api/v1/posts?${new URLSearchParams(pairs)}`);
          assert.ok(status < 500, `${status} for ${JSON.stringify(pairs)}`);
          if (status === 200) assert.ok(json.posts.length <= 50);
        }),
        { numRuns: 300 },
      );
    });
  });
}

test('both engines respond with the same bytes', async () => {
  const responses: string[][] = [];
  for (const engine of engines) {
    const wall = await openWall(engine);
    const anna = await wall.person('Anna_Petrova');
    const root = await wall.post(anna, 'Ёжик 🦔\n«ёлочки» и \\"кавычки"');
    const reply = await wall.reply(anna, root, 'ответ');
    await wall.reply(anna, reply, 'ответ на ответ');
    await wall.db.tx((tx) => likePost(tx, { postId: reply, userId: anna, now: 1 }));
    const bodies: string[] = [];
    for (const path of [
      '/posts',
      `/posts?at=${root}`,
      '/posts?before=c0',
      `/posts/${root}/replies?before=c0`,
      `/posts?userId=${anna}&filter=replies&before=c0&limit=1`,
      `/posts/${root}`,
      `/posts/${reply}`,
      `/posts/${root}/replies`,
      `/posts/${root}/thread`,
      `/posts/${reply}/thread`,
      `/posts?userId=${anna}`,
      `/posts?userId=${anna}&filter=replies`,
      '/users/anna_petrova',
      '/posts/999',
    ]) {
      bodies.push((await wall.get(`/api/v1${path}`)).text);
    }
    responses.push(bodies);
    await wall.close();
  }
  assert.deepEqual(responses[0], responses[1]);
});
