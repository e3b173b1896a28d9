import assert from 'node:assert/strict';
import type { Post } from '#contract/posts.ts';
import { publish, register } from '../../test/kit/member.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' }, 'a mention by a generated username');

onWall(
  'has the person’s name as soon as there is one, in pages that were made before, and the text as typed',
  async (wall) => {
    const [vera, boris] = [await register(wall), await register(wall)];
    const { username } = vera;
    const text = `Спасибо, @${username}! И @user_00000000 тоже.`;
    const post = await publish(boris, text);
    const reply = await publish(vera, `> @${username}\nДа`, `/posts/${post.id}/replies`);
    const paths = [
      '/posts?limit=1',
      `/posts/${post.id}`,
      `/posts/${post.id}/replies`,
      `/posts/${post.id}/thread`,
      `/posts/search?q=${encodeURIComponent('спасибо')}`,
    ];
    const mentionsIn = (value: unknown): unknown[] => {
      if (value === null || typeof value !== 'object') return [];
      return Object.entries(value).flatMap(([key, part]) => (key === 'mentions' ? [part] : mentionsIn(part)));
    };
    const seen = async (path: string) => [
      mentionsIn((await wall.get(`/api/v1${path}`)).json),
      mentionsIn((await vera.send('GET', path)).json()),
    ];
    const page = async () => (await wall.get(`/posts/${post.id}`)).text;
    for (const path of paths) assert.deepEqual(await seen(path), [[], []], path);
    assert.doesNotMatch(await page(), /aria-label="Вера Павловна"/);

    await vera.send('PATCH', '/users/current/profile', { display_name: 'Вера Павловна' });
    const named = { [`@${username}`]: 'Вера Павловна' };
    for (const path of paths) {
      for (const found of await seen(path)) {
        assert.ok(found.length > 0, path);
        for (const each of found) assert.deepEqual(each, named, path);
      }
    }
    assert.match(await page(), new RegExp(`title="@${username}" aria-label="Вера Павловна"`));
    const own = async (path: string) => mentionsIn((await vera.send('GET', path)).json());
    assert.deepEqual(await own('/users/current/notifications'), [named]);
    assert.deepEqual(await own('/posts/replies'), [named, named]);
    const shown: Post = (await vera.send('GET', `/posts/${reply.id}`)).json();
    assert.deepEqual([shown.text, shown.actions.replied_post!.text], [`> @${username}\nДа`, text]);

    const edited = await vera.send('PATCH', `/posts/${reply.id}`, { text: `@${username}, да` });
    assert.deepEqual(mentionsIn(edited.json()), [named, named]);
    await vera.send('PATCH', '/users/current/profile', { display_name: null });
    assert.deepEqual(await own(`/posts/${post.id}`), [{ [`@${username}`]: 'vera_pavlovna' }]);
  },
);
