import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { openWall } from '../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`quotations on ${engine}`, () => {
    test('are shown as such on pages and in feeds, and are plain text in the API', async () => {
      await using wall = await openWall(engine);
      const anna = await wall.person('anna_k');
      const text = 'Сначала\n> процитировано\nПотом.';
      const id = await wall.post(anna, text);
      await wall.reply(anna, id, 'Ответ');
      const page = (await wall.get(`/posts/${id}`)).text;
      assert.match(page, /<blockquote[^>]*><span[^>]*>&gt; <\/span>процитировано\n<\/blockquote>Потом\./);
      assert.match((await wall.get('/users/anna_k?view=replies')).text, /<blockquote|<q>/);
      assert.match((await wall.get(`/posts/${id}/reply`)).text, /<blockquote>процитировано<\/blockquote>Потом\./);
      const feed = (await wall.get('/feed.xml')).text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
      assert.match(feed, /<p>Сначала<\/p><blockquote>процитировано<\/blockquote><p>Потом\.<\/p>/);
      assert.equal(JSON.parse((await wall.get(`/api/v1/posts/${id}`)).text).text, text);
    });
  });
}
