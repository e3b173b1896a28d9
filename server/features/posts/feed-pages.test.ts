import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Post } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { countRootPost } from './feed-counts.ts';

for (const engine of engines) {
  test(`every page of the feed contains the right posts, also deep and with gaps, on ${engine}`, async () => {
    const wall = await openWall(engine);
    const anna = await wall.person('anna_petrova');
    // Far apart, so that the ids fill several counted ranges and leave others empty.
    const ids = [3, 900, 1_023, 1_024, 1_025, 5_000, 1_048_575, 1_048_576, 1_050_000, 3_000_000, 3_000_001, 9_999_999];
    await wall.db.tx(async (tx) => {
      for (const id of ids) {
        await tx.db
          .insertInto('posts')
          .values({ id, user_id: anna, text: `${id}`, created_at: id, parent_post_id: null, replied_post_id: null })
          .execute();
        await countRootPost(tx, id, 1);
      }
    });
    await wall.remove(1_025);
    const left = ids
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
