import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { untilPositioned } from '../../test/kit/live-wall.ts';
import { removePost, restore } from '../../test/kit/moderation.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { renameUser } from '../features/account/store.ts';
import { likePost } from '../features/posts/likes.ts';
import { changeText, lockPost } from '../features/posts/writes.ts';

/** As browsers ask for a page with a reload. */
const reload = { 'cache-control': 'max-age=0' };

/** Stops the cache's clock, which the returned function moves. */
function stoppedClock() {
  let ms = Math.floor(performance.now());
  const now = mock.method(performance, 'now', () => ms);
  return { pass: (more: number) => void (ms += more), [Symbol.dispose]: () => now.mock.restore() };
}

const dataOf = (html: string) => JSON.parse(/<script id="page-data"[^>]*>([^<]*)</.exec(html)![1]!);

const htmlOf = async (wall: Wall, path: string, headers = {}): Promise<string> => (await wall.get(path, headers)).text;

/** A page is cached from its second request on. */
async function cached(wall: Wall, path: string): Promise<string> {
  await wall.get(path);
  return htmlOf(wall, path);
}

for (const engine of engines) {
  describe(`a page on ${engine}`, () => {
    test('has its own response for each query, also for readers who come at the same moment', async () => {
      await using wall = await openWall(engine);
      await wall.person('anna_petrova');
      const [broken, feed] = await Promise.all([wall.get('/?cursor='), wall.get('/')]);
      assert.deepEqual([broken.status, feed.status], [404, 200]);
    });

    test('is rendered at most once a second however much is added, and the first event brings the rest', async () => {
      await using wall = await openWall(engine);
      using clock = stoppedClock();
      const anna = await wall.person('anna_petrova');
      const root = await wall.post(anna, 'первая');
      const paths = ['/', `/posts/${root}`, '/users/anna_petrova'];
      const before = await Promise.all(paths.map((path) => cached(wall, path)));

      const reply = await wall.reply(anna, root, 'ответ');
      const second = await wall.post(anna, 'вторая');
      await wall.db.tx((tx) => likePost(tx, { postId: root, userId: anna, now: 1 }));
      clock.pass(999);
      // Pages are only cached while the last poll is less than a second old. The clock has gone past it at once.
      assert.ok(await wall.db.catchUp());
      const lagging = await Promise.all(paths.map((path) => htmlOf(wall, path)));
      assert.deepEqual(lagging, before);
      const { json: exact } = await wall.get('/api/v1/posts');
      assert.equal(exact.posts[0].id, String(second));

      await untilPositioned(wall);
      const { position } = dataOf(lagging[0]!);
      const { json: event } = await wall.get(`/api/v1/events?after=${position}&posts=${root}`);
      assert.deepEqual([event.reset, event.posts[0].id, event.replies[0].id], [false, String(second), String(reply)]);
      assert.deepEqual(event.counts, [{ id: String(root), likes_count: 1, replies_count: 1, thread_count: 1 }]);

      clock.pass(1);
      const after = await Promise.all(paths.map((path) => htmlOf(wall, path)));
      for (const [at, path] of paths.entries()) assert.notEqual(after[at], before[at], path);
      assert.match(after[0]!, /вторая/);
      assert.match(after[1]!, /ответ/);
    });

    test('is current for a reload', async () => {
      await using wall = await openWall(engine);
      using _ = stoppedClock();
      const anna = await wall.person('anna_petrova');
      await wall.post(anna, 'первая');
      await cached(wall, '/');
      await wall.post(anna, 'вторая');
      assert.doesNotMatch(await htmlOf(wall, '/'), /вторая/);
      assert.match(await htmlOf(wall, '/', reload), /вторая/);
      assert.match(await htmlOf(wall, '/'), /вторая/);
    });

    test('never shows what was deleted, removed, replaced or renamed', async () => {
      await using wall = await openWall(engine);
      using _ = stoppedClock();
      const anna = await wall.person('anna_petrova');
      const [first, second, third] = [
        await wall.post(anna, 'удалит автор'),
        await wall.post(anna, 'удалит модератор'),
        await wall.post(anna, 'старый текст'),
      ];
      const paths = ['/', '/users/anna_petrova'];
      const shows = async (expected: RegExp, isShown: boolean) => {
        for (const path of paths) assert.equal(expected.test(await htmlOf(wall, path)), isShown, `${expected} ${path}`);
      };
      for (const path of paths) await cached(wall, path);

      await wall.remove(first);
      await shows(/удалит автор/, false);
      await removePost(wall, String(second));
      await shows(/удалит модератор/, false);
      await restore(wall, String(second));
      await shows(/удалит модератор/, true);
      await wall.db.tx(async (tx) => changeText(tx, (await lockPost(tx, third))!, 'новый', 2));
      await shows(/старый текст/, false);
      await wall.db.tx((tx) => renameUser(tx, anna, 'anna_ivanova'));
      assert.doesNotMatch(await htmlOf(wall, '/'), /anna_petrova/);
      assert.equal((await wall.get(`/posts/${first}`)).status, 404);
    });

    test('of the search has every match at once', async () => {
      await using wall = await openWall(engine);
      using _ = stoppedClock();
      const anna = await wall.person('anna_petrova');
      const path = `/search?q=${encodeURIComponent('ключи')}`;
      await wall.post(anna, 'нашлись ключи');
      await cached(wall, path);
      await wall.post(anna, 'пропали ключи');
      assert.match(await htmlOf(wall, path), /пропали/);
    });
  });
}
