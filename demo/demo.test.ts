import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizePostText } from '#contract/text.ts';
import { isUsername } from '#contract/username.ts';
import { engines, openFresh } from '../test/kit/engines.ts';
import { createUser } from '../test/kit/create-user.ts';
import { createPost } from '../server/features/posts/writes.ts';
import { recount } from '../server/commands/verify-data/recount.ts';
import { fillWall, WallNotEmpty } from './fill.ts';
import { wall } from './wall.ts';

const plan = { posts: 2_000, until: 1_800_000_000, seed: 1 };
const stepsOf = (seed: number) => [...wall({ ...plan, seed, taken: [] })];

describe('the generated wall', () => {
  const steps = stepsOf(1);
  const posts = steps.map(({ post }) => post);

  it('is the same for the same seed and differs for another', () => {
    assert.deepEqual(stepsOf(1), steps);
    assert.notDeepEqual(stepsOf(2), steps);
  });

  it('has valid and varied texts', () => {
    const many = [...wall({ ...plan, posts: 20_000, taken: [] })].map(({ post }) => post.text);
    for (const text of many) assert.deepEqual(normalizePostText(text), { ok: true, text });
    assert.ok(new Set(many).size > 9_000);
    assert.doesNotMatch(many.join('\n'), /[#[\]{}|]|undefined| {2}| [.,!?]/);
  });

  it('has valid, unique usernames that are not taken', () => {
    const names = steps.flatMap(({ joined }) => joined.map(({ username }) => username));
    assert.ok(names.every(isUsername));
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 80);
    const taken = [names[0]!.toLowerCase()];
    const others = [...wall({ ...plan, taken })].flatMap(({ joined }) => joined.map(({ username }) => username));
    assert.ok(!others.includes(names[0]!));
  });

  it('has ascending times over two years', () => {
    const times = steps.map(({ at }) => at);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.ok(times[0]! >= plan.until - 731 * 86_400 && times[0]! < plan.until - 700 * 86_400);
    assert.ok(times.at(-1)! <= plan.until && times.at(-1)! > plan.until - 3 * 86_400);
  });

  it('has replies only to earlier posts of other people in the same thread', () => {
    const replies = posts.flatMap((post, number) => (post.replied === null ? [] : [{ ...post, number }]));
    assert.ok(replies.length > 600 && replies.length < 1_000);
    for (const { number, author, parent, replied } of replies) {
      assert.ok(replied! < number);
      assert.notEqual(author, posts[replied!]!.author);
      assert.equal(parent, posts[replied!]!.parent ?? replied);
    }
  });

  it('has discussions of 5 to 300 replies, up to 12 deep, some wide and some between two people', () => {
    const sizes = new Map<number, number>();
    const depths: number[] = [];
    const people = new Map<number, Set<number>>();
    const many = [...wall({ ...plan, posts: 20_000, taken: [] })].map(({ post }) => post);
    /** The number of replies on the way up from a post that two people have written in turn. */
    const turns = many.map(() => 0);
    for (const [number, { parent, replied, author }] of many.entries()) {
      depths.push(replied === null ? 0 : depths[replied]! + 1);
      if (parent === null || replied === null) continue;
      sizes.set(parent, (sizes.get(parent) ?? 0) + 1);
      people.set(parent, (people.get(parent) ?? new Set()).add(author));
      const before = many[replied]!.replied;
      if (before !== null && many[before]!.author === author) turns[number] = turns[replied]! + 1;
    }
    const large = [...sizes].filter(([, size]) => size >= 200);
    assert.ok(large.length >= 2);
    for (const [root, size] of large) assert.ok(size <= 300 && people.get(root)!.size >= 25);
    assert.ok([...sizes.values()].filter((size) => size >= 5).length > 100);
    assert.equal(Math.max(...depths), 12);
    assert.ok(Math.max(...turns) >= 8);
    const replies = depths.filter((depth) => depth > 0);
    const toRoot = replies.filter((depth) => depth === 1).length / replies.length;
    assert.ok(toRoot > 0.5 && toRoot < 0.8);
    const children = Object.values(Object.groupBy(many, ({ replied }) => `${replied}`)).map((all) => all!.length);
    assert.ok(children.toSorted((a, b) => b - a)[1]! >= 60);
  });
});

for (const engine of engines) {
  describe(`filling a wall on ${engine}`, () => {
    it('stores correct counts, leaves the next ids free and rejects a wall with posts', async () => {
      const { db, close } = await openFresh(engine);
      const now = plan.until;
      const reader = await db.tx((tx) => createUser(tx, { username: 'reader', email: 'reader@example.org', now }));

      const filled = await fillWall(db, plan, () => {});

      assert.deepEqual(await Array.fromAsync(recount(db.read)), []);
      const { n } = await db.read
        .selectFrom('likes')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow();
      assert.equal(Number(n), filled.likes);
      const newest = await db.read.selectFrom('posts').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
      const next = await db.tx((tx) => createPost(tx, { userId: reader, text: 'Привет!', now }));
      assert.equal(next, newest!.id + 1);
      await assert.rejects(
        fillWall(db, plan, () => {}),
        WallNotEmpty,
      );
      await close();
    });
  });
}
