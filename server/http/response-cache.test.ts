import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { engines, openFresh, openPlace } from '../../test/kit/engines.ts';
import { withinTurns } from '../../test/kit/turns.ts';
import { openWall, wallOver } from '../../test/kit/wall.ts';
import { likePost } from '../features/posts/likes.ts';
import { ResponseCache } from './response-cache.ts';
import { jsonResponse } from './response.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** As browsers ask for a page with a reload. */
const reload = { 'cache-control': 'max-age=0' };

for (const engine of engines) {
  describe(`a cached response on ${engine}`, () => {
    test('is up to date when a write is acknowledged', async () => {
      await using wall = await openWall(engine);
      const anna = await wall.person('anna_petrova');
      const first = await wall.post(anna, 'первая');
      const everywhere = [
        '/api/v1/posts',
        `/api/v1/posts/${first}`,
        `/api/v1/posts?userId=${anna}`,
        '/',
        `/posts/${first}`,
        '/users/anna_petrova',
      ];
      const all = () => Promise.all(everywhere.map(async (path) => (await wall.get(path, reload)).text));

      for (let i = 1; i <= 5; i += 1) {
        const before = await all();
        assert.deepEqual(await all(), before, 'cached');
        const person = await wall.person(`person_${i}`);
        await wall.db.tx((tx) => likePost(tx, { postId: first, userId: person, now: 1 }));
        for (const [at, text] of (await all()).entries())
          assert.notEqual(text, before[at], `${everywhere[at]} after a like`);
        assert.equal((await wall.get(`/api/v1/posts/${first}`)).json.actions.likes_count, i);
      }
      const reply = await wall.reply(anna, first, 'ответ');
      assert.equal((await wall.get('/api/v1/posts')).json.posts[0].actions.replies_count, 1);
      assert.equal((await wall.get(`/api/v1/posts/${reply}`)).json.actions.replied_post.text, 'первая');
      assert.match((await wall.get(`/posts/${first}`, reload)).text, />ответ</);
      await wall.remove(first);
      assert.equal((await wall.get(`/api/v1/posts/${reply}`)).json.actions.replied_post, null);
      assert.equal((await wall.get('/api/v1/posts')).json.total, 0);
      assert.equal((await wall.get(`/posts/${first}`)).status, 404);
    });

    test('is never older than a write made while it was built', async () => {
      await using wall = await openWall(engine);
      const anna = await wall.person('anna_petrova');
      for (let i = 1; i <= 60; i += 1) {
        const [id] = await Promise.all([
          wall.post(anna, `${i}`),
          wall.get('/api/v1/posts'),
          wall.get('/api/v1/posts?limit=50'),
        ]);
        for (const query of ['', '?limit=50']) {
          const { json } = await wall.get(`/api/v1/posts${query}`);
          assert.deepEqual([json.posts[0].id, json.total], [String(id), i]);
        }
      }
    });

    test('stays cached however many people read on or are notified of a post', async () => {
      const fresh = await openFresh(engine);
      const cache = new ResponseCache(fresh.db);
      const build = () => cache.build('the feed', async () => ({ response: jsonResponse([]), tags: ['feed'] }));
      for (const _ of [1, 2]) await build();
      const kept = cache.get('the feed');
      assert.ok(kept);
      // More tags than a cache keeps track of.
      const tags = Array.from({ length: 6_000 }, (_, userId) => `reading:${userId}:0` as const);
      for (const _ of [1, 2]) await fresh.db.tx(async (tx) => tx.touch(...tags));
      const touched = Array.from({ length: 6_000 }, (_, userId) => `unread:${userId}` as const);
      for (const _ of [1, 2]) await fresh.db.tx(async (tx) => tx.touch('post:7', ...touched));
      assert.equal(cache.get('the feed'), kept);
      await fresh.db.tx(async (tx) => tx.touch('feed'));
      assert.equal(cache.get('the feed'), undefined);
      await fresh.close();
    });

    test('keeps no more memory than its bytes, compressed or not', async () => {
      const fresh = await openFresh(engine);
      const cache = new ResponseCache(fresh.db);
      const response = jsonResponse(Array.from({ length: 400 }, (_, i) => i));
      for (const _ of [1, 2]) await cache.build('numbers', async () => ({ response, tags: ['feed'] }));
      await response.prepare({ 'accept-encoding': 'br' });
      for (const encoding of ['identity', 'br', 'gzip'] as const) {
        const [bytes] = response.form(encoding, []).parts;
        assert.equal(bytes!.buffer.byteLength, bytes!.length, encoding);
      }
      await fresh.close();
    });

    test('is not made for a long address, of which nothing is kept', async () => {
      await using fresh = await openFresh(engine);
      const cache = new ResponseCache(fresh.db);
      const page = jsonResponse([]);
      const visit = async (i: number, tags: [] | undefined): Promise<void> => {
        await cache.build(`page /${i}${'a'.repeat(16_000)}`, async () => ({ response: page, tags }));
      };
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < 4_000; i += 1) await visit(i, i % 2 ? [] : undefined);
      for (let i = 3_000; i < 4_000; i += 1) await visit(i, []);
      collectGarbage();
      const grown = process.memoryUsage().heapUsed - before;
      assert.ok(grown < 10_000_000, `${grown} bytes`);
      assert.equal(cache.entries, 0);
    });

    test('shows writes of another process within a second', async () => {
      const fresh = await openFresh(engine);
      const other = await openPlace(fresh.place);
      const [here, there] = await Promise.all([wallOver(fresh.db), wallOver(other)]);
      const anna = await here.person('anna_petrova');
      let emitted = 0;
      fresh.db.onChange(() => (emitted += 1));
      for (let i = 1; i <= 3; i += 1) {
        for (const _ of [1, 2]) await here.get('/api/v1/posts');
        const before = emitted;
        const id = await there.post(anna, `${i}`);
        // Without a request, which would be responded to without the cache while it cannot be trusted.
        await withinTurns(100, () => emitted > before || undefined);
        const shown = await here.get('/api/v1/posts');
        assert.equal(shown.json.posts[0].id, String(id));
      }
      await Promise.all([here.close(), there.close()]);
      await other.close();
      await fresh.close();
    });
  });
}
