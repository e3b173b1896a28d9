import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`thread on ${engine}`, () => {
    test('smoke', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const anna = await wall.person('anna_k');
      const root = await wall.post(anna, 'корень');
      const ids: number[] = [root];
      for (let i = 0; i < 30; i += 1) ids.push(await wall.reply(anna, ids[Math.floor(i / 2)]!, `ответ ${i}`));
      const { json, status } = await wall.get(`/api/v1/posts/${root}/thread`);
      assert.equal(status, 200, JSON.stringify(json));
      const show = (n: any, d: number): void => {
        console.log(' '.repeat(d) + n.id, n.post?.text, JSON.stringify(n.more));
        n.replies.forEach((m: any) => show(m, d + 1));
      };
      json.replies.forEach((n: any) => show(n, 0));
      console.log(json.next, json.total, json.post.actions);
      const deep = await wall.get(`/api/v1/posts/${ids.at(-1)}/thread`);
      console.log(
        deep.json.ancestors.map((a: any) => a.id),
        deep.json.skipped,
      );
    });
  });
}
