import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { scatteredIds, writeRootPosts } from '../../../test/kit/root-posts.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  test(`every page of the feed contains the right posts, also deep and with gaps, on ${engine}`, async () => {
    const wall = await openWall(engine);
    const anna = await wall.person('anna_petrova');
    await writeRootPosts(wall.db, anna, scatteredIds);
    await wall.remove(1_025);
    const left = scatteredIds
      .filter((id) => id !== 1_025)
      .map(String)
      .toReversed();
    for (const limit of [1, 2, 3, 5, 50]) {
      for (let page = 1; page <= Math.ceil(left.length / limit) + 1; page += 1) {
        const { json } = await wall.get(`/api/v1/posts?page=${page}&limit=${limit}`);
        assert.deepEqual(
          json.posts.map((post: Post) => post.id),
          left.slice((page - 1) * limit, page * limit),
        );
        assert.equal(json.total, left.length);
      }
    }
    await wall.close();
  });
}
