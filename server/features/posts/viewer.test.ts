import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Post } from '#contract/posts.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { likePost, unlikePost } from './likes.ts';

for (const engine of engines) {
  describe(`likes of a viewer on ${engine}`, () => {
    test('are shown everywhere to that viewer and to nobody else', async () => {
      const wall = await openWall(engine);
      const viewer = openBrowser(wall);
      await viewer.enter('registrations', newAddress());
      const me = Number((await viewer.send('GET', '/users/current')).json().id);
      const anna = await wall.person('anna_petrova');
      const trap = await wall.post(anna, '"is_liked":false \\"is_liked":false "is_liked":true');
      const root = await wall.post(anna, 'запись');
      const reply = await wall.reply(anna, root, 'ответ');
      const other = await wall.post(anna, 'другая');
      for (const postId of [root, trap]) await wall.db.tx((tx) => likePost(tx, { postId, userId: me, now: 1 }));
      await wall.db.tx((tx) => likePost(tx, { postId: other, userId: anna, now: 1 }));

      const liked = async (path: string): Promise<Array<[string, boolean, boolean?]>> => {
        const response = await viewer.send('GET', path);
        assert.equal(response.headers['cache-control'], 'no-store');
        const json = response.json();
        return (json.posts ?? [json]).map(({ id, actions: { is_liked, replied_post: quoted } }: Post) =>
          quoted ? [id, is_liked, quoted.actions.is_liked] : [id, is_liked],
        );
      };
      assert.deepEqual(await liked('/posts'), [
        [`${other}`, false],
        [`${root}`, true],
        [`${trap}`, true],
      ]);
      assert.deepEqual(await liked(`/posts?userId=${anna}&limit=50`), [
        [`${other}`, false],
        [`${root}`, true],
        [`${trap}`, true],
      ]);
      assert.deepEqual(await liked(`/posts/${reply}`), [[`${reply}`, false, true]]);
      assert.deepEqual(await liked(`/posts/${root}/replies`), [[`${reply}`, false, true]]);
      assert.equal(
        (await viewer.send('GET', `/posts/${trap}`)).json().text,
        '"is_liked":false \\"is_liked":false "is_liked":true',
      );

      const visitor = await wall.get('/api/v1/posts');
      assert.ok(visitor.json.posts.every((post: Post) => !post.actions.is_liked));
      await wall.db.tx((tx) => unlikePost(tx, { postId: root, userId: me, now: 1 }));
      assert.deepEqual(await liked(`/posts/${root}`), [[`${root}`, false]]);

      viewer.token = 'not a token';
      assert.equal((await viewer.send('GET', '/posts')).statusCode, 401);
      await wall.close();
    });

    test('are in compressed responses too, and in those of nobody else', async () => {
      await using wall = await openWall(engine);
      const [fan, other] = [openBrowser(wall), openBrowser(wall)];
      for (const person of [fan, other]) await person.enter('registrations', newAddress());
      const anna = await wall.person('anna_petrova');
      const ids: number[] = [];
      for (let i = 0; i < 10; i += 1)
        ids.push(await wall.post(anna, `Сегодня на стене людно, и каждому есть что сказать ${i}.`));
      const me = Number((await fan.send('GET', '/users/current')).json().id);
      await wall.db.tx((tx) => likePost(tx, { postId: ids[0]!, userId: me, now: 1 }));

      for (const [accepted, encoding, unpack] of [
        ['gzip, deflate, br', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['identity', undefined, (body: Buffer) => body],
      ] as const) {
        const likesSeenBy = async (token: string | undefined): Promise<number> => {
          const headers = {
            'accept-encoding': accepted,
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          };
          const response = await wall.app.inject({ url: '/api/v1/posts', headers });
          assert.equal(response.headers['content-encoding'], encoding);
          assert.equal(response.headers['content-length'], `${response.rawPayload.length}`);
          assert.equal(response.headers['cache-control'], token === undefined ? 'no-cache' : 'no-store');
          const { posts } = JSON.parse(unpack(response.rawPayload).toString());
          assert.equal(posts.length, 10);
          return posts.filter(({ actions }: Post) => actions.is_liked).length;
        };
        // Before a visitor has made the server compress the page, and after.
        for (const token of [fan.token, other.token, undefined, undefined, fan.token, other.token]) {
          assert.equal(await likesSeenBy(token), token === fan.token ? 1 : 0);
        }
      }
    });
  });
}
