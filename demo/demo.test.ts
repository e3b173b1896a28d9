import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeFace } from '#contract/face.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { normalizePostText } from '#contract/text.ts';
import { isUsername } from '#contract/username.ts';
import { engines, openFresh } from '../test/kit/engines.ts';
import { createUser } from '../test/kit/create-user.ts';
import { createPost } from '../server/features/posts/post-writes.ts';
import { recount } from '../server/commands/verify-data/recount.ts';
import { fillWall, WallNotEmpty } from './fill.ts';
import { wall } from './wall.ts';

const plan = { posts: 2_000, until: 1_800_000_000, seed: 1 };
const stepsOf = (seed: number) => [...wall({ ...plan, seed, taken: [] })];

describe('the generated wall', () => {
  const steps = stepsOf(1);
  const posts = steps.map(({ post }) => post);
  const many = [...wall({ ...plan, posts: 20_000, taken: [] })].map(({ post }) => post);

  it('is the same for the same seed and differs for another', () => {
    assert.deepEqual(stepsOf(1), steps);
    assert.notDeepEqual(stepsOf(2), steps);
  });

  it('has valid and varied texts', () => {
    const texts = many.map(({ text }) => text);
    for (const text of texts) assert.deepEqual(normalizePostText(text), { ok: true, text });
    assert.ok(new Set(texts).size > 9_000);
    assert.doesNotMatch(texts.join('\n'), /[#[\]{}|]|undefined| {2}| [.,!?]/);
  });

  it('has valid, unique usernames that are not taken', () => {
    const names = steps.flatMap(({ joined }) => joined.map(({ username }) => username));
    assert.ok(names.every(isUsername));
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 80);
    const taken = [names[0]!.toLowerCase()];
    const others = [...wall({ ...plan, taken })].flatMap(({ joined }) => joined.map(({ username }) => username));
    assert.ok(!others.includes(names[0]!));
  });

  it('has people of whom most have a name and half a face', () => {
    const people = steps.flatMap(({ joined }) => joined);
    const faces = people.flatMap(({ face }) => face ?? []);
    for (const face of faces) assert.deepEqual(normalizeFace(face), { ok: true, text: face });
    assert.ok(faces.length > 30 && faces.length < 50 && new Set(faces).size > 20, `${faces.length} faces`);
    assert.ok(people.filter(({ displayName }) => displayName !== null).length > 40);
  });

  it('lives: half of the newest 100 root posts have a reply, newcomers are among them, and five talks go on today', () => {
    for (const size of [500, 2_000, 20_000]) {
      const history = [...wall({ ...plan, posts: size, seed: 2_026, taken: [] })];
      const said = history.map(({ at, post }, number) => ({ ...post, at, number }));
      const below = Map.groupBy(said, ({ parent }) => parent);
      const roots = below.get(null)!.slice(-100);
      const answered = roots.filter(({ number }) => below.has(number)).length;
      assert.ok(answered >= 50 && answered < 90, `${size}: ${answered} answered`);
      const living = [...below].filter(([root, replies]) => {
        const isToday = replies.at(-1)!.at > plan.until - limits.lastReplySeconds;
        return root !== null && isToday && replies.length >= 3 && new Set(replies.map(({ author }) => author)).size > 1;
      });
      assert.ok(living.length >= 5, `${size}: ${living.length} talks`);
      const since = history.flatMap(({ joined, at }) => joined.map(() => at));
      const isNew = ({ author, at }: (typeof roots)[number]) => at - since[author]! < serverLimits.newHereSeconds;
      assert.ok(size < 20_000 || roots.some(isNew));
    }
  });

  it('has ascending times over two years', () => {
    const times = steps.map(({ at }) => at);
    assert.ok(times.every((at, i) => i === 0 || at >= times[i - 1]!));
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
    /** For each post, the number of replies up to it that two people have written in turn. */
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
  it(`a filled wall has correct counts and free next ids, and one with posts is rejected on ${engine}`, async () => {
    const { db, close } = await openFresh(engine);
    const now = plan.until;
    const reader = await db.tx((tx) => createUser(tx, { username: 'reader', email: 'reader@example.org', now }));

    const filled = await fillWall(db, plan, () => {});

    assert.deepEqual(await Array.fromAsync(recount(db.read)), []);
    const likes = await db.read.selectFrom('likes').select('user_id').execute();
    assert.equal(likes.length, filled.likes);
    const newest = await db.read.selectFrom('posts').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    const next = await db.tx((tx) => createPost(tx, { userId: reader, text: 'Привет!', now }));
    assert.equal(next, newest!.id + 1);
    const again = fillWall(db, plan, () => {});
    await assert.rejects(again, WallNotEmpty);
    await close();
  });
}
