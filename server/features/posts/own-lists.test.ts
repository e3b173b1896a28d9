import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { outcome, publish, register } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`own lists on ${engine}`, () => {
    test('liking twice counts once, and the latest like is first in the list', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const [anna, boris] = [await register(wall), await register(wall)];
      const posts = [await publish(anna, 'один'), await publish(anna, 'два'), await publish(anna, 'три')];
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
      const [anna, boris] = [await register(wall), await register(wall)];
      const root = await publish(anna, 'корень');
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
  });
}
