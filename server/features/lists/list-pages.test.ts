import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PostPage } from '#contract/posts.ts';
import { type Member, register } from '../../../test/kit/member.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import type { Wall } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';
import { countRootPost } from '../posts/feed-counts.ts';
import { likePost } from '../posts/likes.ts';

const onWall = onWalls();

/** Ids so far apart that they fill several counted ranges and leave others empty. */
const scatteredIds: readonly number[] = [
  3, 900, 1_023, 1_024, 1_025, 5_000, 1_048_575, 1_048_576, 1_050_000, 3_000_000, 3_000_001, 9_999_999,
];

/** Writes root posts with these ids. */
async function writeRootPosts({ tx }: Pick<Database, 'tx'>, userId: number, ids: readonly number[]): Promise<void> {
  await tx(async (opened) => {
    for (const id of ids) {
      await opened.db
        .insertInto('all_posts')
        .values({ id, user_id: userId, text: `${id}`, created_at: id, parent_post_id: null, replied_post_id: null })
        .execute();
      await countRootPost(opened, id, 1);
    }
  });
}

const idsOf = (page: PostPage): string[] => page.posts.map(({ id }) => id);

type Read = (query: string) => Promise<PostPage>;

const reader =
  (by: Member, list: string): Read =>
  async (query) => {
    const response = await by.send('GET', `${list}${query}`);
    assert.equal(response.statusCode, 200, response.body);
    return response.json();
  };

const feedOf =
  (wall: Wall): Read =>
  async (query) =>
    (await wall.get(`/api/v1/posts?${query}`)).json;

/** Everything above a cursor, oldest first. */
async function walkUp(read: Read, from: string | null, limit: number): Promise<string[]> {
  const walked: string[] = [];
  for (let cursor = from; cursor !== null;) {
    const page = await read(`limit=${limit}&before=${cursor}`);
    walked.push(...idsOf(page).toReversed());
    assert.ok(walked.length < 1_000, 'no end');
    cursor = page.previous;
  }
  return walked;
}

const many = 23;

/** Boris likes all of Anna's posts and replies to the first one as many times. */
async function fill(wall: Wall, anna: number, boris: number): Promise<number> {
  const posts: number[] = [];
  for (let i = 0; i < many; i += 1) posts.push(await wall.post(anna, `запись ${i}`));
  for (const postId of posts) {
    await wall.db.tx((tx) => likePost(tx, { postId, userId: boris, now: 1 }));
    await wall.reply(boris, posts[0]!, `ответ на ${posts[0]!}`);
  }
  return posts[0]!;
}

/** More than a page number may skip. */
const atDepth = 1_060;

onWall(
  'reading upward from any place of every list gives what is above; pages skip at most a thousand',
  async (wall) => {
    const [anna, boris] = [await register(wall), await register(wall)];
    const first = await fill(wall, Number(anna.id), Number(boris.id));
    const counted = [
      [`/posts?userId=${anna.id}&`, anna],
      [`/posts?userId=${boris.id}&filter=replies&`, anna],
      [`/posts/${first}/replies?`, anna],
      ['/posts/replies?', boris],
      ['/posts?filter=liked&', boris],
      ['/users/current/notifications?', anna],
    ] as const;
    for (const [list, by] of [['/posts?', anna] as const, ...counted]) {
      const read = reader(by, list);
      const whole = idsOf(await read('limit=50'));
      assert.equal(whole.length, many, list);
      assert.equal((await read('limit=50')).previous, null, list);
      for (const limit of [4, 50]) {
        let seen = 0;
        for (let page = await read(`limit=${limit}`); ; page = await read(`limit=${limit}&cursor=${page.next}`)) {
          assert.deepEqual(await walkUp(read, page.previous, limit), whole.slice(0, seen).toReversed(), list);
          seen += page.posts.length;
          if (page.next === null) break;
        }
        assert.equal(seen, many, list);
      }
      const beyond = await read('page=9');
      assert.deepEqual([beyond.posts, beyond.next], [[], null]);
      assert.deepEqual(await walkUp(read, beyond.previous, 7), whole.toReversed(), `${list} from below its end`);

      assert.equal((await read(`limit=50&before=${beyond.previous}`)).previous, null, `${list} in one page`);

      const second = await read('limit=5&page=2');
      const above = await read(`limit=3&before=${second.previous}`);
      assert.deepEqual(idsOf(above), whole.slice(2, 5), `${list}: the nearest ones, newest first`);
      assert.deepEqual(idsOf(await read(`limit=5&cursor=${above.next}`)), idsOf(second), `${list} down again`);
      const topmost = (await read('limit=1')).next;
      const none = await read(`before=${topmost}`);
      assert.deepEqual([none.posts, none.previous], [[], null], `${list} above the top`);
      assert.deepEqual(idsOf(await read(`cursor=${none.next}`)), whole.slice(0, 10), `${list} down from the top`);

      for (const page of [1, 2, 3, 5]) {
        const found = await read(`limit=5&page=${page}`);
        assert.deepEqual(idsOf(found), whole.slice((page - 1) * 5, page * 5), `${list} page ${page}`);
        assert.deepEqual([found.total, found.lastPage], [many, 5]);
      }
    }
    const counts = { posts_count: atDepth, notifications_count: atDepth, replies_count: atDepth, likes_count: atDepth };
    await wall.db.tx(async ({ db }) => {
      await db.updateTable('users').set(counts).execute();
      await db.updateTable('all_posts').set({ replies_count: atDepth }).where('id', '=', first).execute();
    });
    for (const [list, by] of counted) {
      const tooDeep = (await by.send('GET', `${list}limit=50&page=22`)).json();
      assert.equal(tooDeep.code, 'INVALID_REQUEST', list);
      assert.match(tooDeep.message, /cursor/);
      for (const page of [23, 999_999_999]) {
        const { posts, total, next } = await reader(by, list)(`limit=50&page=${page}`);
        assert.deepEqual([posts, total, next], [[], atDepth, null], `${list} page ${page}`);
      }
    }
  },
);

onWall('reading upward misses and repeats nothing while posts are added and deleted', async (wall) => {
  const anna = await wall.person('anna_petrova');
  const read = feedOf(wall);
  const alive: number[] = [];
  const number = fc.nat(9_999);
  const step = fc.record({ limit: fc.integer({ min: 1, max: 9 }), gone: fc.array(number, { maxLength: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
      while (alive.length < 60) alive.push(await wall.post(anna, 'одна из многих'));
      const deleted = new Set<number>();
      const walked: number[] = [];
      for (let i = 0, cursor = (await read('page=9999')).previous; cursor !== null; i += 1) {
        const { limit, gone } = steps[i] ?? { limit: 5, gone: [] };
        const page = await read(`limit=${limit}&before=${cursor}`);
        walked.push(...idsOf(page).map(Number).toReversed());
        cursor = page.previous;
        if (cursor === null) break;
        if (i < steps.length) alive.push(await wall.post(anna, 'новая'));
        for (const of of gone) {
          const [id] = alive.splice(of % alive.length, 1);
          deleted.add(id!);
          await wall.remove(id!);
        }
      }
      assert.deepEqual(
        walked.filter((id) => !deleted.has(id)),
        alive,
      );
      assert.deepEqual(
        walked,
        [...new Set(walked)].toSorted((one, other) => one - other),
      );
    }),
    { numRuns: 10 },
  );
});

onWall('reading begins at a post of the feed or the next older one, and says how many are newer', async (wall) => {
  const anna = await wall.person('anna_petrova');
  const read = feedOf(wall);
  const ids = scatteredIds;
  await writeRootPosts(wall.db, anna, ids);
  const checkAll = async (left: readonly number[]) => {
    const newest = left.toReversed();
    for (const at of ids.flatMap((id) => [id - 1, id, id + 1])) {
      const page = await read(`limit=4&at=${at}`);
      const skipped = newest.filter((id) => id > at).length;
      assert.deepEqual(idsOf(page), newest.slice(skipped, skipped + 4).map(String), `at ${at}`);
      assert.deepEqual([page.newer, page.total, page.previous === null], [skipped, left.length, skipped === 0]);
      assert.equal(page.next === null, skipped + 4 >= left.length);
      const above = newest.slice(0, skipped).toReversed().map(String);
      assert.deepEqual(await walkUp(read, page.previous, 5), above, `above ${at}`);
    }
  };
  await checkAll(ids);
  const gone = [3, 1_024, 1_048_576, 9_999_999];
  for (const id of gone) await wall.remove(id);
  await checkAll(ids.filter((id) => !gone.includes(id)));
  const left = ids
    .filter((id) => !gone.includes(id))
    .toReversed()
    .map(String);
  for (const limit of [1, 2, 3, 5, 50]) {
    for (let number = 1; number <= Math.ceil(left.length / limit) + 1; number += 1) {
      const page = await read(`page=${number}&limit=${limit}`);
      assert.deepEqual([idsOf(page), page.total], [left.slice((number - 1) * limit, number * limit), left.length]);
    }
  }
  assert.equal((await read('')).newer, undefined);
});
