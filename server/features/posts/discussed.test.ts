import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { Random } from '../../../demo/random.ts';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import { publish, register } from '../../../test/kit/member.ts';
import { readingCost } from '../../../test/kit/reading-cost.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import type { Schema } from '../../db/schema.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { listDiscussed } from './discussed.ts';
import { listFollowed } from './following.ts';
import { deleteOwnPost, undoDeletion } from './own-deletion.ts';
import { lockPost } from './writes.ts';

/** For the clock. To read all rows would cost ten times as much. */
const slack = 20;
const hour = 3_600;
const day = 24 * hour;

interface Discussed {
  posts: Array<{ id: string; last_reply: { id: string; owner: { username: string }; text: string } | null }>;
  lifted_by: string[];
  next: string | null;
}

const discussed = async (wall: Wall, query = ''): Promise<Discussed> =>
  (await wall.get(`/api/v1/posts/discussed${query}`)).json;

const idsOf = async (wall: Wall, query = ''): Promise<number[]> =>
  (await discussed(wall, query)).posts.map(({ id }) => Number(id));

const withdraw = (wall: Wall, id: number) =>
  wall.db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, wall.clock.now));

const restore = (wall: Wall, id: number, userId: number) =>
  wall.db.tx((tx) => undoDeletion(tx, id, { userId, now: wall.clock.now }));

for (const engine of engines) {
  test(`a reply lifts a discussion of two people, each of them once an hour, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris] = [await wall.person('anna'), await wall.person('boris')];
    const [first, second] = [await wall.post(anna, 'Первая'), await wall.post(anna, 'Вторая')];
    await wall.reply(boris, first, 'Один человек');
    await wall.reply(boris, first, 'не поднимает');
    assert.deepEqual(await idsOf(wall), []);
    await wall.reply(anna, first, 'Двое поднимают');
    assert.deepEqual(await idsOf(wall), [first]);
    await wall.reply(boris, second, 'Раз');
    await wall.reply(anna, second, 'Два');
    assert.deepEqual(await idsOf(wall), [second, first]);
    await wall.reply(anna, first, 'Ещё раз до конца часа');
    assert.deepEqual(await idsOf(wall), [second, first]);
    await wall.reply(boris, first, 'А Борис может');
    assert.deepEqual(await idsOf(wall), [first, second]);
    wall.clock.now += hour;
    await wall.reply(anna, second, 'Час прошёл');
    assert.deepEqual(await idsOf(wall), [second, first]);
    wall.clock.now += 8 * day;
    await wall.reply(anna, first, 'За неделю никто, кроме меня');
    assert.deepEqual(await idsOf(wall), [second, first]);
    await wall.reply(boris, first, 'Теперь двое');
    assert.deepEqual(await idsOf(wall), [first, second]);
    assert.deepEqual((await discussed(wall)).lifted_by, [String(boris), String(anna)]);
  });

  test(`a withdrawn reply or root post takes its lift with it and brings it back, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris] = [await wall.person('anna'), await wall.person('boris')];
    const [first, second] = [await wall.post(anna, 'Первая'), await wall.post(anna, 'Вторая')];
    for (const root of [first, second]) {
      await wall.reply(boris, root, 'Раз');
      await wall.reply(anna, root, 'Два');
    }
    const third = await wall.reply(boris, first, 'Три');
    assert.deepEqual(await idsOf(wall), [first, second]);
    await withdraw(wall, third);
    assert.deepEqual(await idsOf(wall), [second, first]);
    assert.ok(await restore(wall, third, boris));
    assert.deepEqual(await idsOf(wall), [first, second]);
    await withdraw(wall, first);
    assert.deepEqual(await idsOf(wall), [second]);
    await wall.reply(boris, third, 'Под удалённой записью');
    assert.ok(await restore(wall, first, anna));
    assert.deepEqual(await idsOf(wall), [first, second]);
    assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
  });

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

  test(`lifts are those of the rule after replies, deletions and restorations in any order, on ${engine}`, async (t) => {
    const steps = Number(process.env['LIFT_STEPS'] ?? 300);
    assert.deepEqual(await compareWithRule(engine, steps, new Random(11)), []);
    t.diagnostic(`${steps} steps`);
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

interface Known {
  id: number;
  root: number;
  by: number;
  at: number;
  lifted: boolean;
  isShown: boolean;
}

/** Writes, withdraws and restores replies and root posts at random; returns where the list differs from the rule. */
async function compareWithRule(engine: Engine, steps: number, random: Random): Promise<string[]> {
  await using wall = await openWall(engine);
  const people: number[] = [];
  for (const name of ['anna', 'boris', 'vera']) people.push(await wall.person(name));
  const roots = new Map<number, boolean>();
  for (let i = 0; i < 4; i += 1) roots.set(await wall.post(people[0]!, `Запись ${i}`), true);
  const replies: Known[] = [];
  const faults: string[] = [];

  async function write(root: number, by: number): Promise<void> {
    const at = wall.clock.now;
    const inThread = replies.filter((reply) => reply.root === root);
    const isLively = inThread.some((reply) => reply.isShown && reply.by !== by && reply.at >= at - 7 * day);
    const isPaused = inThread.some((reply) => reply.lifted && reply.by === by && reply.at > at - hour);
    const id = await wall.reply(by, root, 'Ответ');
    replies.push({ id, root, by, at, lifted: isLively && !isPaused, isShown: true });
  }

  async function toggle(known: { id: number; isShown: boolean; by: number }): Promise<boolean> {
    if (known.isShown) await withdraw(wall, known.id);
    else if (!(await restore(wall, known.id, known.by))) return false;
    return true;
  }

  for (let step = 0; step < steps; step += 1) {
    const root = random.pick([...roots.keys()]);
    if (random.chance(1 / 12)) {
      const isShown = roots.get(root)!;
      if (await toggle({ id: root, isShown, by: people[0]! })) roots.set(root, !isShown);
    } else if (random.chance(1 / 3) && replies.length > 0) {
      const reply = random.pick(replies.slice(-12));
      if (await toggle(reply)) reply.isShown = !reply.isShown;
    } else if (roots.get(root)) await write(root, random.pick(people));
    if (random.chance(1 / 20)) wall.clock.now += random.pick([hour / 2, day, 8 * day]);
    const liftOf = (id: number) =>
      Math.max(
        0,
        ...replies.filter((reply) => reply.root === id && reply.lifted && reply.isShown).map((reply) => reply.id),
      );
    const expected = [...roots]
      .filter(([id, isShown]) => isShown && liftOf(id) > 0)
      .map(([id]) => id)
      .toSorted((a, b) => liftOf(b) - liftOf(a));
    const found = await idsOf(wall);
    if (String(found) !== String(expected))
      faults.push(`step ${step}: ${String(found)} instead of ${String(expected)}`);
  }
  for await (const difference of recount(wall.db.read)) faults.push(JSON.stringify(difference));
  return faults;
}
