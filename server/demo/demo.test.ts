import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizePostText } from '#contract/text.ts';
import { isUsername } from '#contract/username.ts';
import { engines, openFresh } from '../../test/engines.ts';
import { createUser } from '../account/store.ts';
import { createPost } from '../posts/writes.ts';
import { recount } from '../verify-data/recount.ts';
import { fillWall, WallNotEmpty } from './fill.ts';
import { wall } from './wall.ts';

const plan = { posts: 2_000, until: 1_800_000_000, seed: 1 };
const lifeOf = (seed: number) => [...wall({ ...plan, seed, taken: [] })];

describe('the life of the demo wall', () => {
  const life = lifeOf(1);
  const posts = life.map(({ post }) => post);

  it('is the same for the same seed, and another for another', () => {
    assert.deepEqual(lifeOf(1), life);
    assert.notDeepEqual(lifeOf(2), life);
  });

  it('has texts as people may publish them', () => {
    const many = [...wall({ ...plan, posts: 20_000, taken: [] })].map(({ post }) => post.text);
    for (const text of many) assert.deepEqual(normalizePostText(text), { ok: true, text });
    assert.ok(new Set(many).size > 9_000);
    assert.doesNotMatch(many.join('\n'), /[#[\]{}|]|undefined| {2}| [.,!?]/);
  });

  it('has people whose names may be taken, each once', () => {
    const names = life.flatMap(({ joined }) => joined.map(({ username }) => username));
    assert.ok(names.every(isUsername));
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 80);
    const taken = [names[0]!.toLowerCase()];
    const others = [...wall({ ...plan, taken })].flatMap(({ joined }) => joined.map(({ username }) => username));
    assert.ok(!others.includes(names[0]!));
  });

  it('runs forward through two years', () => {
    const times = life.map(({ at }) => at);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.ok(times[0]! >= plan.until - 731 * 86_400 && times[0]! < plan.until - 700 * 86_400);
    assert.ok(times.at(-1)! <= plan.until && times.at(-1)! > plan.until - 3 * 86_400);
  });

  it('answers earlier posts of the same thread, not one’s own', () => {
    const replies = posts.flatMap((post, number) => (post.replied === null ? [] : [{ ...post, number }]));
    assert.ok(replies.length > 600 && replies.length < 1_000);
    for (const { number, author, parent, replied } of replies) {
      assert.ok(replied! < number);
      assert.notEqual(author, posts[replied!]!.author);
      assert.equal(parent, posts[replied!]!.parent ?? replied);
    }
    assert.ok(replies.some(({ parent, replied }) => parent !== replied));
  });
});

for (const engine of engines) {
  describe(`filling a wall on ${engine}`, () => {
    it('leaves every count right and the next ids free, and fills an empty wall only', async () => {
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
