import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { discussed, idsOf } from '../../../test/kit/discussed.ts';
import { engines } from '../../../test/kit/engines.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { readingCost } from '../../../test/kit/reading-cost.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import type { Schema } from '../../db/schema.ts';
import { listDiscussed } from './discussed.ts';
import { listFollowed } from './following.ts';

/** For the clock. To read all rows would cost ten times as much. */
const slack = 20;

for (const engine of engines) {
  test(`discussions are read by cursor, and lists show the beginning of the last reply on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris] = [await wall.person('anna'), await wall.person('boris')];
    const roots: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const root = await wall.post(anna, `Запись ${i}`);
      roots.unshift(root);
      await wall.reply(boris, root, 'Раз');
      await wall.reply(anna, root, 'Два');
    }
    const page = await discussed(wall, '?limit=2');
    assert.deepEqual(
      page.posts.map(({ id, last_reply: last }) => [Number(id), last]),
      [
        [roots[0], null],
        [roots[1], null],
      ],
    );
    const rest = await idsOf(wall, `?limit=50&cursor=${page.next}`);
    assert.deepEqual(rest, roots.slice(2));
    assert.equal((await wall.get('/api/v1/posts/discussed?cursor=zzz')).status, 400);

    const long = `${'😀'.repeat(79)}ёж`;
    const last = await wall.reply(boris, roots[1]!, long);
    const lastOf = async (path: string) =>
      (await wall.get(path)).json.posts.find(({ id }: { id: string }) => Number(id) === roots[1]).last_reply;
    for (const path of ['/api/v1/posts/discussed', '/api/v1/posts', `/api/v1/posts?userId=${anna}`]) {
      const { id, owner, text } = await lastOf(path);
      assert.deepEqual([Number(id), owner.username, text], [last, 'boris', `${'😀'.repeat(79)}ё`], path);
    }
    await wall.db.tx(async (tx) => {
      await tx.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', boris).execute();
      tx.touch(`user:${boris}`);
    });
    assert.equal(await lastOf('/api/v1/posts'), null);
  });

  test(`followed discussions count what came since they were read, on ${engine}`, async () => {
    await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
    const [anna, boris] = [await register(wall), await register(wall)];
    const own = await publish(anna, 'Моя');
    const other = await publish(boris, 'Чужая');
    await publish(boris, 'Никто не ответил');
    const following = async (query = '') => {
      const { discussions, next } = (await anna.send('GET', `/users/current/following${query}`)).json();
      const shown = discussions.map(({ post, new_count: count }: { post: { id: string }; new_count: number }) => [
        post.id,
        count,
      ]);
      return { shown, next };
    };
    assert.deepEqual((await following()).shown, []);
    await publish(boris, 'Раз', `/posts/${own.id}/replies`);
    const reply = await publish(anna, 'Слежу', `/posts/${other.id}/replies`);
    assert.deepEqual((await following()).shown, [
      [other.id, 1],
      [own.id, 1],
    ]);
    await anna.send('PUT', '/users/current/reading', { list: `thread:${other.id}`, post_id: reply.id });
    for (const text of ['Два', 'Три']) await publish(boris, text, `/posts/${other.id}/replies`);
    const first = await following('?limit=1');
    assert.deepEqual(first.shown, [[other.id, 2]]);
    assert.deepEqual(await following(`?limit=1&cursor=${first.next}`), { shown: [[own.id, 1]], next: null });
    await anna.send('DELETE', `/posts/${own.id}/follow`);
    assert.deepEqual((await following()).shown, [[other.id, 2]]);
    assert.equal((await wall.get('/api/v1/users/current/following')).status, 401);
  });

  test(`the lists cost the same on a wall of many discussions on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const discussedPage = async (db: Kysely<Schema>) => (await listDiscussed(db, { below: 2e8, limit: 10 })).posts;
    /** Runs it often enough for PostgreSQL to prefer a plan that does not know the limit. */
    const costOf = async (
      list: (db: Kysely<Schema>) => Promise<readonly unknown[]>,
      length: number,
    ): Promise<number> => {
      assert.equal((await list(wall.db.read)).length, length);
      return readingCost(wall.db, async ({ db }) => {
        for (let run = 0; run < 8; run += 1) await list(db);
      });
    };
    const costs = async (): Promise<number[]> => {
      const { id } = await wall.db.read
        .selectFrom('follows')
        .select(sql<number>`max(user_id)`.as('id'))
        .executeTakeFirstOrThrow();
      const followedPage = async (db: Kysely<Schema>) =>
        (await listFollowed(db, { userId: id, below: 2e8, limit: 10 })).discussions;
      return [await costOf(discussedPage, 10), await costOf(followedPage, 5)];
    };
    await addDiscussions(wall, 200);
    const few = await costs();
    await addDiscussions(wall, 10_000);
    for (const [list, cost] of (await costs()).entries()) {
      assert.ok(cost < 3 * few[list]! + slack, `${cost} against ${few[list]}`);
    }
  });
}

/** Writes that many discussions that have been lifted; their two replies are not written. */
async function addDiscussions(wall: Wall, count: number): Promise<void> {
  const [one, other] = [await wall.person(`one_${count}`), await wall.person(`other_${count}`)];
  await wall.db.tx(async ({ db }) => {
    const { id: before } = await db
      .selectFrom('posts')
      .select(sql<number>`coalesce(max(id), 0)`.as('id'))
      .executeTakeFirstOrThrow();
    const roots = Array.from({ length: count }, (_, i) => before + 1 + i);
    for (let from = 0; from < count; from += 1_000) {
      const part = roots.slice(from, from + 1_000);
      const post = { user_id: one, text: 'Запись', created_at: 1, depth: 0, thread_count: 2 };
      await db
        .insertInto('posts')
        .values(part.map((id) => ({ ...post, id })))
        .execute();
      const last = { last_reply_by: one, last_reply_at: 1, other_reply_id: 1, other_reply_at: 1 };
      const discussions = part.map((id) => ({ ...last, root_post_id: id, last_reply_id: 1e8 + id, lift_id: 1e8 + id }));
      await db.insertInto('discussions').values(discussions).execute();
      const lifts = discussions.map(({ root_post_id: root, lift_id: id }) => ({
        reply_id: id,
        root_post_id: root,
        user_id: one,
        created_at: 1,
      }));
      await db.insertInto('lifts').values(lifts).execute();
    }
    const follows = roots.slice(0, 5).map((id) => ({ user_id: other, root_post_id: id, following: 1 }));
    await db.insertInto('follows').values(follows).execute();
    await sql`analyze`.execute(db);
  });
}
