import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { deleteAccount, register } from '../../test/kit/member.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { idsInPart } from './sitemap.ts';

const address = 'https://wall.example';

const fixed = ['/', '/about', '/rules', '/privacy', '/api'];

const locations = async (wall: Wall, path: string): Promise<string[]> => {
  const { status, text, headers } = await wall.get(path);
  assert.deepEqual([status, headers['content-type']], [200, 'application/xml; charset=utf-8'], path);
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, location]) => location!.replace(address, ''));
};

for (const engine of engines) {
  describe(`the sitemap on ${engine}`, () => {
    test('lists the feed and every visible root post', async () => {
      await using wall = await openWall(engine, { PUBLIC_URL: address });
      assert.deepEqual(await locations(wall, '/sitemap.xml'), ['/sitemap-0.xml', '/sitemap-authors-0.xml']);
      assert.deepEqual(await locations(wall, '/sitemap-0.xml'), fixed);

      const anna = await wall.person('anna_petrova');
      const first = await wall.post(anna, 'первая');
      await wall.reply(anna, first, 'ответ');
      const gone = await wall.post(anna, 'удалённая');
      const second = await wall.post(anna, 'вторая');
      assert.deepEqual(await locations(wall, '/sitemap-0.xml'), [
        ...fixed,
        `/posts/${first}`,
        `/posts/${gone}`,
        `/posts/${second}`,
      ]);
      await wall.remove(gone);
      assert.deepEqual(await locations(wall, '/sitemap-0.xml'), [...fixed, `/posts/${first}`, `/posts/${second}`]);
      const { text } = await wall.get('/sitemap-0.xml');
      const written = new Date(1_700_000_000_000).toISOString();
      assert.ok(text.includes(`<loc>${address}/posts/${first}</loc><lastmod>${written}</lastmod>`));
      await wall.db.tx(({ db, touch }) => {
        touch('feed');
        return db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', anna).execute();
      });
      assert.deepEqual(await locations(wall, '/sitemap-0.xml'), fixed);
    });

    test('lists every author of a visible root post by the current name', async () => {
      await using wall = await openWall(engine, { PUBLIC_URL: address });
      const anna = await register(wall);
      const boris = await wall.person('boris_77');
      const listed = async (): Promise<string[]> => {
        await locations(wall, '/sitemap-authors-0.xml');
        return locations(wall, '/sitemap-authors-0.xml');
      };
      assert.deepEqual(await listed(), []);
      await anna.send('POST', '/posts', { text: 'запись' });
      assert.deepEqual(await listed(), [`/users/${anna.username}`]);
      await wall.post(boris, 'запись');
      await anna.send('PATCH', '/users/current/profile', { username: 'anna_petrova' });
      assert.deepEqual(await listed(), ['/users/anna_petrova', '/users/boris_77']);
      await deleteAccount(wall, anna);
      assert.deepEqual(await listed(), ['/users/boris_77']);
      const far = { id: idsInPart + 5, username: 'far_away', username_key: 'far_away', email: 'f@example.org' };
      await wall.db.tx(({ db }) =>
        db
          .insertInto('users')
          .values({ ...far, created_at: 1, posts_count: 1 })
          .execute(),
      );
      assert.deepEqual((await locations(wall, '/sitemap.xml')).slice(1), [
        '/sitemap-authors-0.xml',
        '/sitemap-authors-1.xml',
      ]);
      assert.deepEqual(await locations(wall, '/sitemap-authors-1.xml'), ['/users/far_away']);
      assert.equal((await wall.get('/sitemap-authors-2.xml')).status, 404);
    });

    test('has a part for each range of ids, up to the newest', async () => {
      await using wall = await openWall(engine, { PUBLIC_URL: address });
      const user_id = await wall.person('anna_petrova');
      const ids = [1, idsInPart - 1, idsInPart, 2 * idsInPart + 7];
      const rows = ids.map((id) => ({ id, user_id, text: 'запись', created_at: 1 }));
      await wall.db.tx(({ db }) => db.insertInto('posts').values(rows).execute());

      const parts = await locations(wall, '/sitemap.xml');
      assert.deepEqual(parts.splice(3), ['/sitemap-authors-0.xml']);
      assert.deepEqual(parts, ['/sitemap-0.xml', '/sitemap-1.xml', '/sitemap-2.xml']);
      const listed = await Promise.all(parts.map((part) => locations(wall, part)));
      assert.deepEqual(listed, [
        [...fixed, ...ids.slice(0, 2).map((id) => `/posts/${id}`)],
        [`/posts/${ids[2]}`],
        [`/posts/${ids[3]}`],
      ]);
      for (const path of ['/sitemap-3.xml', '/sitemap-999999999.xml', '/sitemap-1e3.xml', '/sitemap--1.xml']) {
        assert.equal((await wall.get(path)).status, 404, path);
      }
    });
  });
}

test('robots.txt names the sitemap and excludes personal pages', async () => {
  await using wall = await openWall('sqlite', { PUBLIC_URL: address });
  const { text, headers } = await wall.get('/robots.txt');
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  const lines = text.split('\n');
  assert.equal(lines[0], 'User-agent: *');
  assert.ok(lines.includes(`Sitemap: ${address}/sitemap.xml`));
  const closed = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);
  const isClosed = (path: string): boolean => closed.some((start) => path.startsWith(start));
  for (const path of ['/api/v1/posts', '/settings/devices', '/liked', '/own/posts', '/notifications']) {
    assert.ok(isClosed(path), path);
  }
  for (const path of ['/', '/posts/1', '/users/anna_petrova', '/assets/main.js', '/feed.xml', '/sitemap-0.xml']) {
    assert.ok(!isClosed(path), path);
  }
});
