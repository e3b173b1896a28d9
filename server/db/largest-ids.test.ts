import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../test/kit/engines.ts';
import { type Member, register } from '../../test/kit/member.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';

/** SQLite gives the next post the number after these two, which is the last one below 2^53. */
const [older, newer] = [Number.MAX_SAFE_INTEGER - 2, Number.MAX_SAFE_INTEGER - 1];
/** As doubles, the first two are equal to 2^53. */
const tooLarge = ['9007199254740992', '9007199254740993', '9999999999999999', '9223372036854775807'];

for (const engine of engines) {
  describe(`the largest ids on ${engine}`, () => {
    let wall: Wall;
    let anna: Member;
    before(async () => {
      wall = await openWall(engine);
      anna = await register(wall);
    });
    after(() => wall.close());

    test('a post, its lists and its discussion work up to the last number below 2^53', async () => {
      const row = { user_id: Number(anna.id), text: 'последняя', created_at: 1, parent_post_id: null };
      await wall.db.tx(async ({ db }) => {
        for (const id of [older, newer])
          await db
            .insertInto('all_posts')
            .values({ ...row, id })
            .execute();
        await db.updateTable('users').set({ posts_count: 2 }).execute();
      });
      const found = await wall.get(`/api/v1/posts/${newer}`);
      assert.deepEqual([found.status, found.json.id], [200, String(newer)]);
      const first = await wall.get(`/api/v1/posts?userId=${anna.id}&limit=1`);
      assert.equal(first.json.posts[0].id, String(newer));
      const second = await wall.get(`/api/v1/posts?userId=${anna.id}&limit=1&cursor=${first.json.next}`);
      assert.equal(second.json.posts[0]?.id, String(older), second.text);
      const reply = await anna.send('POST', `/posts/${newer}/replies`, { text: 'ответ' });
      assert.equal(reply.statusCode, 201, reply.body);
      const thread = await wall.get(`/api/v1/posts/${newer}/thread`);
      assert.equal(thread.json.replies.length, 1, thread.text);
    });

    test('a larger one from outside is that of nothing', async () => {
      for (const id of tooLarge) {
        assert.equal((await wall.get(`/api/v1/posts/${id}`)).status, 404, id);
        assert.equal((await wall.get(`/posts/${id}`)).status, 404, id);
        const cursor = BigInt(id).toString(36);
        assert.equal((await wall.get(`/api/v1/posts?cursor=c${cursor}`)).status, 400, id);
        assert.equal((await wall.get(`/api/v1/posts?at=${id}`)).status, 400, id);
        assert.equal((await wall.get(`/api/v1/posts/${newer}/thread?branch=b${cursor}-${cursor}`)).status, 400, id);
        assert.equal((await anna.send('POST', `/posts/${id}/likes`)).statusCode, 404, id);
        const read = await anna.send('PUT', '/users/current/reading', { list: 'feed', post_id: id });
        assert.equal(read.statusCode, 400, id);
        assert.equal((await wall.get(`/api/v1/events?after=${id}`)).json.reset, true, id);
      }
    });

    test('a larger one in a table fails the query instead of becoming another id', async () => {
      const { db } = wall;
      await db.tx((tx) => sql`insert into mutes values (1, 1, ${sql.raw('9007199254740993')})`.execute(tx.db));
      await assert.rejects(db.read.selectFrom('mutes').selectAll().execute(), {
        name: 'RangeError',
        message: /9007199254740993/,
      });
      await assert.rejects(
        db.tx((tx) => tx.db.selectFrom('mutes').selectAll().execute()),
        { name: 'RangeError' },
      );
      await db.check();
    });
  });
}
