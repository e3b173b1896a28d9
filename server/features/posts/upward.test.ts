import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { PostPage } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, register } from '../../../test/kit/member.ts';
import { scatteredIds, writeRootPosts } from '../../../test/kit/root-posts.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { likePost } from './likes.ts';

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

for (const engine of engines) {
  describe(`reading upward on ${engine}`, () => {
    test('from any place of every list gives what is above, and ends at the top', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const first = await fill(wall, Number(anna.id), Number(boris.id));
      for (const [list, by] of [
        ['/posts?', anna],
        [`/posts?userId=${anna.id}&`, anna],
        [`/posts?userId=${boris.id}&filter=replies&`, anna],
        [`/posts/${first}/replies?`, anna],
        ['/posts/replies?', boris],
        ['/posts?filter=liked&', boris],
        ['/users/current/notifications?', anna],
      ] as const) {
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
      }
    });

    test('misses and repeats nothing while posts are added and deleted', async () => {
      await using wall = await openWall(engine);
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

    test('begins at a post of the feed or the next older one, and says how many are newer', async () => {
      await using wall = await openWall(engine);
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
      assert.equal((await read('')).newer, undefined);
    });

    test('gets current pages, also from the cache', async () => {
      await using wall = await openWall(engine);
      const anna = await wall.person('anna_petrova');
      const posts: number[] = [];
      for (let i = 0; i < 8; i += 1) posts.push(await wall.post(anna, `${i}`));
      const root = posts[0]!;
      for (let i = 0; i < 3; i += 1) await wall.reply(anna, root, `${i}`);
      const cursor = `c${posts[4]!.toString(36)}`;
      const replyCursor = `c${(posts[7]! + 1).toString(36)}`;
      const lists = [
        `/posts?before=${cursor}`,
        `/posts?cursor=${cursor}`,
        `/posts?at=${posts[4]}`,
        `/posts?userId=${anna}&before=${cursor}`,
        `/posts?userId=${anna}&filter=replies&before=${replyCursor}`,
        `/posts/${root}/replies?before=${replyCursor}`,
      ];
      const readAll = async (): Promise<PostPage[]> => {
        const pages: PostPage[] = [];
        // A page is stored at its second reading and comes from the cache from the third one on.
        for (const _ of [1, 2, 3]) {
          pages.splice(0);
          for (const list of lists) pages.push((await wall.get(`/api/v1${list}`)).json);
        }
        return pages;
      };
      const first = await readAll();
      // A reply is no post of the feed: the page begins with the post before it.
      const atReply: PostPage = (await wall.get(`/api/v1/posts?at=${posts[7]! + 1}&limit=1`)).json;
      assert.deepEqual([idsOf(atReply), atReply.newer], [[`${posts[7]}`], 0]);
      assert.deepEqual(first.slice(0, 3).map(idsOf), [
        posts.slice(5).toReversed().map(String),
        posts.slice(0, 4).toReversed().map(String),
        posts.slice(0, 5).toReversed().map(String),
      ]);
      assert.equal(first[2]!.newer, 3);
      const added = await wall.post(anna, 'новая');
      const reply = await wall.reply(anna, root, 'ещё');
      const second = await readAll();
      assert.deepEqual(idsOf(second[0]!), [`${added}`, ...idsOf(first[0]!)]);
      assert.equal(second[2]!.newer, 4);
      assert.deepEqual(idsOf(second[3]!), [`${added}`, ...idsOf(first[3]!)]);
      for (const i of [4, 5]) assert.deepEqual(idsOf(second[i]!), [`${reply}`, ...idsOf(first[i]!)]);
      for (const id of [added, reply]) await wall.remove(id);
      assert.deepEqual(await readAll(), first);
    });

    test('refuses unclear places', async () => {
      await using wall = await openWall(engine);
      const anna = await wall.person('anna_petrova');
      for (const query of [
        'before=',
        'before=zz',
        'before=c1&cursor=c1',
        'at=',
        'at=0',
        'at=abc',
        'at=1&cursor=c1',
        'at=1&before=c1',
        `at=1&userId=${anna}`,
        `at=1&userId=${anna}&filter=replies`,
      ]) {
        const { status, json } = await wall.get(`/api/v1/posts?${query}`);
        assert.deepEqual([status, json.code], [400, 'INVALID_REQUEST'], query);
      }
    });
  });
}
