import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Discussion, readWhole, type Step, type Whole } from '../../../test/kit/discussion.ts';
import { engines } from '../../../test/kit/engines.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';

const number = fc.nat(9_999);
const aReply = fc.record({ kind: fc.constant('reply' as const), to: number, author: number });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: aReply },
  // The last and the first post again and again: deep and wide at once.
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reply' as const), to: fc.constant(0), author: number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), of: number }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), of: number }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), of: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), of: number }) },
);
const leaving = fc.record({ kind: fc.constant('leave' as const), author: number });
/** Discussions that are read as a whole, and longer ones. */
const early = fc.constantFrom(0, 60).chain((count) => fc.array(aReply, { minLength: count, maxLength: count }));
const steps = fc
  .tuple(early, fc.array(step, { minLength: 20, maxLength: 60 }), leaving, fc.array(step, { maxLength: 20 }))
  .map(([first, then, leave, last]): Step[] => [...first, ...then, leave, ...last]);

/** Takes the steps on a wall, and finds every place of the discussion exactly once where it belongs. */
async function takeAll(wall: Wall, taken: readonly Step[], round: number): Promise<string[]> {
  const authors = [];
  for (let i = 0; i < 3; i += 1) authors.push(await wall.person(`person_${round}_${i}`));
  const discussion = await Discussion.start(wall, authors);
  for (const each of taken) await discussion.take(each);
  assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
  const bodies: string[] = [];
  if (discussion.isRootShown) {
    for (const order of ['newest', 'oldest'] as const) {
      const whole = await readWhole(wall, discussion.root, { order, limit: 1 + (round % 12) });
      const direct = discussion.repliesTo(discussion.root).map(String);
      assert.deepEqual(whole.replies, order === 'newest' ? direct.toReversed() : direct);
      checkNodes(whole, discussion);
      bodies.push(...whole.bodies);
    }
    const { json } = await wall.get(`/api/v1/posts/${discussion.root}`);
    assert.equal(json.actions.thread_count, discussion.replies.length);
  }
  for (const id of discussion.replies) {
    const { json, text } = await wall.get(`/api/v1/posts/${id}/thread`);
    const { shown } = discussion.above(id);
    assert.deepEqual(
      json.ancestors.map((post: { id: string }) => post.id),
      shown.map(String),
    );
    bodies.push(text);
  }
  return bodies;
}

function checkNodes({ nodes }: Whole, discussion: Discussion): void {
  const shown = [...nodes.values()].filter(({ post }) => post !== null).map(({ id }) => Number(id));
  assert.deepEqual(
    shown.toSorted((a, b) => a - b),
    discussion.replies,
  );
  for (const { id, post, replies } of nodes.values()) {
    const below = discussion.repliesTo(Number(id)).map(String);
    assert.deepEqual(
      replies.map((reply) => reply.id),
      below,
      `below ${id}`,
    );
    if (post) assert.equal(post.actions.replies_count, below.filter((each) => nodes.get(each)!.post).length);
  }
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
