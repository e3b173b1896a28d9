import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Thread, ThreadNode } from '#contract/posts.ts';
import { engines } from '../../../test/kit/engines.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { states } from '../../db/all-posts.ts';
import { deleteUser } from '../account/account-store.ts';
import { deleteRemovedPost } from '../posts/removed-posts.ts';
import { findThread } from './thread.ts';
import { readingCost } from '../../../test/kit/processor-time.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' });

interface Whole {
  /** All nodes by id, each with the nodes directly below it. */
  nodes: Map<string, Omit<ThreadNode, 'more'>>;
  replies: string[];
  /** The bodies of the responses. */
  bodies: string[];
}

/** Reads a discussion to its end, through the cursors of the list and of every branch. */
async function readWhole(
  wall: Pick<Wall, 'get'>,
  id: number,
  { order = 'newest', limit = 10 }: { order?: 'newest' | 'oldest'; limit?: number } = {},
): Promise<Whole> {
  const whole: Whole = { nodes: new Map(), replies: [], bodies: [] };

  async function read(query: string): Promise<Thread> {
    const { status, text, json } = await wall.get(`/api/v1/posts/${id}/thread?limit=${limit}&order=${order}${query}`);
    assert.equal(status, 200, text);
    whole.bodies.push(text);
    const { replies } = json as Thread;
    assert.ok(replies.length <= limit && count(replies) <= 50);
    return json;
  }

  async function take({ more, ...node }: ThreadNode): Promise<string> {
    assert.ok(!whole.nodes.has(node.id), `${node.id} is in two responses`);
    const known = { ...node, replies: [...node.replies] };
    whole.nodes.set(node.id, known);
    for (const reply of node.replies) await take(reply);
    let left = more?.count ?? 0;
    for (let branch = more?.cursor ?? null; branch !== null;) {
      const { replies, next, total, ancestors } = await read(`&branch=${branch}`);
      assert.deepEqual([ancestors, total], [[], node.replies.length + more!.count]);
      for (const reply of replies) {
        known.replies.push(reply);
        await take(reply);
      }
      left -= replies.length;
      branch = next;
    }
    assert.equal(left, 0, `of the branch of ${node.id} something is left`);
    return node.id;
  }

  for (let cursor: string | null = ''; cursor !== null;) {
    const { replies, next } = await read(cursor && `&cursor=${cursor}`);
    for (const reply of replies) whole.replies.push(await take(reply));
    cursor = next;
  }
  return whole;
}

const count = (nodes: readonly ThreadNode[]): number => nodes.reduce((sum, { replies }) => sum + 1 + count(replies), 0);

const threadOf = async (wall: Wall, id: number | string, query = '') => {
  const { status, json } = await wall.get(`/api/v1/posts/${id}/thread${query}`);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
};

/** The ids of a tree: `5(6 7(8))`, a gap with a minus, what is left of a branch as `+3`. */
const shape = (nodes: readonly ThreadNode[]): string =>
  nodes
    .map(({ id, post, replies, more }) => {
      const below = [shape(replies), more && `+${more.count}`].filter(Boolean).join(' ');
      return `${post ? '' : '-'}${id}${below && `(${below})`}`;
    })
    .join(' ');

onWall('a thread starts with the direct replies, and continues in the list and in every branch', async (wall) => {
  const anna = await wall.person('anna_petrova');
  const root = await wall.post(anna, 'корень');
  const [a, b, c] = [
    await wall.reply(anna, root, 'а'),
    await wall.reply(anna, root, 'б'),
    await wall.reply(anna, root, 'в'),
  ];
  const below: number[] = [];
  for (let i = 0; i < 23; i += 1) below.push(await wall.reply(anna, b, `${i}`));
  const branch = below.slice(0, 20).join(' ');
  assert.equal(shape((await threadOf(wall, root)).replies), `${c} ${b}(${branch} +3) ${a}`);
  assert.equal(shape((await threadOf(wall, root, '?order=oldest')).replies), `${a} ${b}(${branch} +3) ${c}`);
  const page = await threadOf(wall, root, '?limit=2');
  assert.equal(shape(page.replies), `${c} ${b}(${branch} +3)`);
  assert.deepEqual([page.total, shape((await threadOf(wall, root, `?cursor=${page.next}`)).replies)], [3, `${a}`]);
  // After new replies both cursors continue where they ended.
  const late = await wall.reply(anna, b, 'поздний');
  const fresh = await wall.reply(anna, root, 'новый');
  const { cursor } = page.replies[1].more;
  const next = await threadOf(wall, root, `?branch=${cursor}&limit=3`);
  assert.deepEqual([shape(next.replies), next.total], [below.slice(20).join(' '), 24]);
  const last = await threadOf(wall, root, `?branch=${next.next}`);
  assert.deepEqual([shape(last.replies), last.next], [`${late}`, null]);
  assert.equal(shape((await threadOf(wall, root, `?cursor=${page.next}`)).replies), `${a}`);
  // A discussion with so many replies is not read as a whole.
  for (let i = 0; i < 30; i += 1) await wall.reply(anna, late, `${i}`);
  assert.equal(shape((await threadOf(wall, root)).replies), `${fresh} ${c} ${b}(${branch} +4) ${a}`);
});

onWall('a thread has a response of its own for each way to continue', async (wall) => {
  const anna = await wall.person('anna_petrova');
  const root = await wall.post(anna, 'корень');
  const a = await wall.reply(anna, root, 'а');
  const b = await wall.reply(anna, root, 'б');
  await wall.reply(anna, root, 'в');
  const branch = `b${root.toString(36)}-${a.toString(36)}`;
  // The response is cached from the second request on.
  for (let i = 0; i < 3; i += 1) await threadOf(wall, root, `?limit=1&branch=${branch}`);
  const { next } = await threadOf(wall, root, `?limit=1&order=oldest&cursor=c${a.toString(36)}`);
  assert.equal(next, `c${b.toString(36)}`);
});

onWall('a thread costs the same for a hundred replies and for thousands', async (wall) => {
  const anna = await wall.person('anna_petrova');
  const many = 3_000;
  const rootWith = async (replies: number, isBelowOnlyReply: boolean): Promise<number> => {
    const root = await wall.post(anna, 'корень');
    const above = isBelowOnlyReply ? await wall.reply(anna, root, 'единственный ответ') : root;
    const place = { parent_post_id: root, replied_post_id: above, depth: isBelowOnlyReply ? 2 : 1 };
    const row = { ...place, user_id: anna, text: 'один из многих', created_at: 1 };
    for (let written = 0; written < replies; written += 1_000) {
      const rows = Array.from({ length: Math.min(1_000, replies - written) }, () => row);
      await wall.db.tx(({ db }) => db.insertInto('all_posts').values(rows).execute());
    }
    await wall.db.tx(async ({ db }) => {
      await db.updateTable('all_posts').set({ replies_count: replies }).where('id', '=', above).execute();
      await db.updateTable('all_posts').set({ thread_count: replies }).where('id', '=', root).execute();
    });
    return root;
  };
  const wide = [await rootWith(100, false), await rootWith(many, false)] as const;
  const narrow = [await rootWith(100, true), await rootWith(many, true)] as const;
  for (const [few, all] of [wide, narrow]) {
    const costOf = (id: number): Promise<number> => {
      const part = { of: id, isBranch: false, order: 'newest', after: undefined, limit: 10 } as const;
      return readingCost(wall.db, ({ db }) => findThread(db, id, part));
    };
    const [light, heavy] = [await costOf(few), await costOf(all)];
    // Reading all of them would cost thirty times as much.
    assert.ok(heavy < 3 * light, `${heavy} against ${light}`);
  }
});

onWall('a thread refuses what no thread has given out', async (wall) => {
  const anna = await wall.person('anna_petrova');
  const [root, other] = [await wall.post(anna, 'корень'), await wall.post(anna, 'другая')];
  const foreign = await wall.reply(anna, other, 'чужой ответ');
  await wall.reply(anna, foreign, 'ниже');
  const bad = ['cursor=', 'cursor=5', 'cursor=b1-1', 'branch=', 'branch=c1', 'branch=b1', 'branch=b0-1', 'branch=b1-'];
  bad.push('branch=bzzzzzzzzzzz-1', 'order=best', 'limit=0', 'limit=-1', 'limit=a');
  for (const query of bad) {
    const { status, json } = await wall.get(`/api/v1/posts/${root}/thread?${query}`);
    assert.deepEqual([status, json.code], [400, 'INVALID_REQUEST'], query);
  }
  for (const id of ['999999', 'нет', '0', '-1']) {
    const { status, json } = await wall.get(`/api/v1/posts/${encodeURIComponent(id)}/thread`);
    assert.deepEqual([status, json.code], [404, 'NOT_FOUND'], id);
  }
  // A post of another discussion and a missing post have no branch here.
  for (const above of [foreign, 999_999]) {
    const { replies, total, next } = await threadOf(wall, root, `?branch=b${above.toString(36)}-1`);
    assert.deepEqual([replies, total, next], [[], 0, null]);
  }
});

onWall('a long chain of gaps is closed a hundred at a time, up to a reply', async (wall) => {
  const anna = await wall.person('anna_petrova');
  const root = await wall.post(anna, 'корень');
  const chain = [root];
  for (let i = 0; i < 250; i += 1) chain.push(await wall.reply(anna, chain.at(-1)!, `${i}`));
  const last = String(chain.pop()!);
  for (const id of chain.slice(1)) await removePost(wall, String(id));
  const gaps = async (): Promise<number> => {
    assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    return (await wall.db.read.selectFrom('all_posts').select('id').where(isGap).execute()).length;
  };
  assert.equal(await gaps(), 249);
  assert.equal((await readWhole(wall, root, { limit: 10 })).nodes.get(last)!.post!.text, '249');
  await removePost(wall, last);
  assert.equal(await gaps(), 149);
  assert.equal((await threadOf(wall, root)).post.actions.thread_count, 0);
  await restore(wall, last);
  await runJobs(wall.db, wall.clock.now);
  assert.equal(await gaps(), 249);
  await removePost(wall, last);
  await runJobs(wall.db, wall.clock.now);
  assert.equal(await gaps(), 0);
  assert.equal(shape((await threadOf(wall, root)).replies), '');
});

/** A place without a shown post. */
const isGap = sql<boolean>`state <> ${states.shown} and is_place = 1`;

/** A step of a discussion. Numbers pick a post or an author from those there are. */
interface Step {
  kind: 'reply' | 'delete' | 'remove' | 'restore' | 'forget' | 'leave';
  on: number;
  by: number;
}

const number = fc.nat(9_999);
const stepOf = (...kinds: Array<Step['kind']>): fc.Arbitrary<Step> =>
  // The first post is chosen often, so that the discussion is wide as well as deep.
  fc.record({ kind: fc.constantFrom(...kinds), on: fc.oneof(number, number, number, fc.constant(0)), by: number });
const aReply = stepOf('reply');
const step = fc.oneof(
  { weight: 16, arbitrary: aReply },
  { weight: 8, arbitrary: stepOf('delete', 'delete', 'remove', 'remove', 'restore', 'restore', 'restore', 'forget') },
);
/** No replies or sixty at the start, because only a discussion of at most fifty replies is read as a whole. */
const early = fc.constantFrom(0, 60).chain((many) => fc.array(aReply, { minLength: many, maxLength: many }));
const steps = fc
  .tuple(early, fc.array(step, { minLength: 20, maxLength: 60 }), stepOf('leave'), fc.array(step, { maxLength: 20 }))
  .map(([first, then, leave, last]): Step[] => [...first, ...then, leave, ...last]);

async function takeStep(wall: Wall, root: number, authors: number[], { kind, on, by }: Step): Promise<void> {
  const { db, clock } = wall;
  const author = authors[by % authors.length]!;
  if (kind === 'leave') {
    authors.splice(authors.indexOf(author), 1);
    // A job that ran a moment ago is not due again.
    clock.now += 61;
    await db.tx((tx) => deleteUser(tx, author, clock.now));
    await runJobs(db, clock.now);
    return;
  }
  const from = kind === 'restore' || kind === 'forget' ? 'removed_posts' : 'posts';
  const rows = await db.read.selectFrom(from).select(['id', 'user_id', 'parent_post_id']).orderBy('id').execute();
  const those = rows.filter((row) => row.id === root || row.parent_post_id === root);
  const post = those[on % those.length];
  if (!post) return;
  if (kind === 'reply') await wall.reply(author, post.id, `ответ на ${post.id}`);
  if (kind === 'delete') await wall.remove(post.id);
  if (kind === 'remove') await removePost(wall, String(post.id));
  if (kind === 'restore') assert.equal(await restore(wall, String(post.id)), 'restored');
  if (kind === 'forget') await db.tx((tx) => deleteRemovedPost(tx, post.id, { userId: post.user_id, now: clock.now }));
}

/** The replies and gaps of a discussion according to their rows. `recount` compares these rows with one another. */
async function placesIn({ db }: Wall, root: number) {
  const rows = await db.read
    .selectFrom('all_posts')
    .select(['id', 'replied_post_id', 'depth', 'state'])
    .where('parent_post_id', '=', root)
    .where('is_place', '=', 1)
    .orderBy('id')
    .execute();
  return rows.map(({ state, ...row }) => ({ ...row, isShown: state === states.shown }));
}

/** Takes the steps on a wall and asserts that every place of the discussion is found once, where it belongs. Resolves to the bodies. */
async function takeAll(wall: Wall, taken: readonly Step[], round: number): Promise<string[]> {
  const authors: number[] = [];
  for (let i = 0; i < 3; i += 1) authors.push(await wall.person(`person_${round}_${i}`));
  const root = await wall.post(authors[0]!, 'начало');
  for (const each of taken) await takeStep(wall, root, authors, each);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
  const places = await placesIn(wall, root);
  const below = (id: number): string[] =>
    places.filter((each) => each.replied_post_id === id).map((each) => String(each.id));
  const shown = places.filter(({ isShown }) => isShown);
  const bodies: string[] = [];
  const { status, json } = await wall.get(`/api/v1/posts/${root}`);
  if (status === 200) {
    for (const order of ['newest', 'oldest'] as const) {
      const { nodes, ...whole } = await readWhole(wall, root, { order, limit: [1, 10, 50, 7][round % 4]! });
      assert.deepEqual(whole.replies, order === 'newest' ? below(root).toReversed() : below(root));
      assert.equal(nodes.size, places.length);
      for (const { id, isShown } of places) {
        const { post, replies } = nodes.get(String(id))!;
        assert.deepEqual([replies.map((reply) => reply.id), post !== null], [below(id), isShown], `below ${id}`);
      }
      bodies.push(...whole.bodies);
    }
    assert.equal(json.actions.thread_count, shown.length);
  }
  for (const { id, depth, replied_post_id: repliedTo } of shown) {
    const way: number[] = [];
    for (let above = repliedTo; above !== null && above !== root;) {
      way.unshift(above);
      above = places.find((place) => place.id === above)!.replied_post_id;
    }
    const near = way.slice(-5).filter((each) => shown.some((post) => post.id === each));
    const thread = await wall.get(`/api/v1/posts/${id}/thread`);
    assert.deepEqual(
      [thread.json.ancestors.map((post: { id: string }) => post.id), thread.json.skipped],
      [[...(status === 200 ? [root] : []), ...near].map(String), Math.max(0, depth - 6)],
    );
    bodies.push(thread.text);
  }
  return bodies;
}

test('whatever is written, deleted, removed and restored, each reply is found once, with the same bytes on both engines', async (t) => {
  const walls = await Promise.all(engines.map((engine) => openWall(engine)));
  t.after(() => Promise.all(walls.map((wall) => wall.close())));
  let round = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      round += 1;
      const [first, second] = await Promise.all(walls.map((wall) => takeAll(wall, taken, round)));
      assert.deepEqual(first, second);
    }),
    { numRuns: 8, endOnFailure: true },
  );
});
