import assert from 'node:assert/strict';
import { type Kysely, sql } from 'kysely';
import type { FollowedPage } from '#contract/notifications.ts';
import { discussed, idsOf } from '../../../test/kit/discussed.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import type { Schema } from '../../db/schema.ts';
import { listDiscussed } from './discussed.ts';
import { listFollowed } from '../following/following.ts';
import { readingCost } from '../../../test/kit/processor-time.ts';

const onWall = onWalls();

/** Added to a limit, because processor time is counted in ticks of a few milliseconds. Reading all rows would cost far more. */
const slack = 20;

onWall('discussions are read by cursor, and lists show the beginning of the last reply', async (wall) => {
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

onWall('followed discussions are read by cursor', async (wall) => {
  const anna = await register(wall);
  const roots: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const { id } = await publish(anna, `Запись ${i}`);
    roots.unshift(id);
    await publish(anna, 'Раз', `/posts/${id}/replies`);
  }
  const following = async (query: string) => (await anna.send('GET', `/users/current/following?${query}`)).json();
  const idsFollowed = (page: FollowedPage) => page.discussions.map(({ post }) => post.id);
  const first = await following('limit=2');
  assert.deepEqual(idsFollowed(first), roots.slice(0, 2));
  const rest = await following(`limit=2&cursor=${first.next}`);
  assert.deepEqual([idsFollowed(rest), rest.next], [roots.slice(2), null]);
});

onWall('the lists cost the same on a wall of many discussions', async (wall) => {
  const discussedPage = async (db: Kysely<Schema>) => (await listDiscussed(db, { below: 2e8, limit: 10 })).posts;
  /** Reads the list often enough for PostgreSQL to prefer a generic plan, which does not know the limit. */
  const costOf = async (list: (db: Kysely<Schema>) => Promise<readonly unknown[]>, length: number): Promise<number> => {
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

/** Adds `count` discussions that replies have lifted. The replies themselves are not written. */
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
        .insertInto('all_posts')
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
