import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { engines } from '../../../test/kit/engines.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { stem } from '../../search/stem.ts';
import { fold } from '../../search/words.ts';
import { deleteUser } from '../account/store.ts';
import { blockUser, unblockUser } from '../moderation/store.ts';
import { changeText, lockPost } from '../posts/writes.ts';

const words = ['ёлка', 'ёлок', 'книги', 'книгу', 'снег', 'машина'];
const text = fc.subarray(words, { minLength: 1 }).map((some) => some.join(' '));
interface Step {
  kind: (typeof kinds)[number];
  of: number;
  text: string;
}

const kinds = ['write', 'reply', 'edit', 'delete', 'remove', 'restore', 'block', 'unblock', 'leave', 'clear'] as const;
const step: fc.Arbitrary<Step> = fc.record({
  // Writing is more frequent than the rest.
  kind: fc.constantFrom(...kinds, 'write', 'write', 'write', 'reply', 'reply', 'edit'),
  of: fc.nat(9_999),
  text,
});

interface Written {
  id: number;
  author: number;
  text: string;
  state: 'shown' | 'removed' | 'gone';
}

/** The wall, and what each of its posts and people must be. */
class Model {
  readonly posts: Written[] = [];
  readonly people: Array<{ id: number; hidden: boolean; left: boolean }> = [];

  shown({ author, state }: Written): boolean {
    return state === 'shown' && !this.people.some(({ id, hidden, left }) => id === author && (hidden || left));
  }

  /** Ids with all these stems, newest first. */
  matching(asked: readonly string[]): string[] {
    return this.posts
      .filter((post) => this.shown(post))
      .filter((post) => asked.every((word) => post.text.split(' ').some((own) => sameWord(own, word))))
      .map(({ id }) => String(id))
      .toReversed();
  }
}

const sameWord = (a: string, b: string): boolean => stem(fold(a)) === stem(fold(b));

async function take(wall: Wall, model: Model, { kind, of, text: written }: Step): Promise<void> {
  const { db, clock } = wall;
  const person = model.people[of % model.people.length]!;
  const post = model.posts[of % Math.max(1, model.posts.length)];
  if (kind === 'write' && !person.left) {
    model.posts.push({ id: await wall.post(person.id, written), author: person.id, text: written, state: 'shown' });
  } else if (kind === 'block' || kind === 'unblock') {
    person.hidden = kind === 'block';
    await db.tx((tx) => (person.hidden ? blockUser(tx, person.id, 'спам', clock.now) : unblockUser(tx, person.id)));
  } else if (kind === 'leave' && model.people.filter(({ left }) => !left).length > 1) {
    if (!person.left) await db.tx((tx) => deleteUser(tx, person.id, clock.now));
    person.left = true;
  } else if (kind === 'clear') await runJobs(db, (clock.now += 61));
  else if (post) await change(wall, model, { kind, of, text: written }, post);
}

async function change(wall: Wall, model: Model, { kind, of, text: written }: Step, post: Written): Promise<void> {
  const { db, clock } = wall;
  const isShown = post.state === 'shown' && !model.people.find(({ id }) => id === post.author)!.left;
  if (kind === 'reply' && isShown) {
    const author = model.people.find(({ left }, i) => !left && i >= of % 2) ?? model.people.find(({ left }) => !left)!;
    const id = await wall.reply(author.id, post.id, written);
    model.posts.push({ id, author: author.id, text: written, state: 'shown' });
  } else if (kind === 'edit' && isShown) {
    await db.tx(async (tx) => changeText(tx, (await lockPost(tx, post.id))!, written, clock.now));
    post.text = written;
  } else if (kind === 'delete' && isShown) {
    await wall.remove(post.id);
    post.state = 'gone';
  } else if (kind === 'remove' && isShown) {
    await removePost(wall, String(post.id));
    post.state = 'removed';
  } else if (kind === 'restore' && (await restore(wall, String(post.id))) === 'restored') post.state = 'shown';
}

for (const engine of engines) {
  test(
    `exactly the visible posts are found after any course of events on ${engine}`,
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
          await using wall = await openWall(engine, { RATE_LIMITS: 'off', READS_PER_MINUTE: '1000000' });
          const model = new Model();
          for (let i = 0; i < 3; i += 1) {
            model.people.push({ id: await wall.person(`person_${i}`), hidden: false, left: false });
          }
          for (const [i, next] of steps.entries()) {
            await take(wall, model, next);
            const asked = [words[i % words.length]!, ...(i % 3 === 0 ? [words[(i + 1) % words.length]!] : [])];
            const query = new URLSearchParams({ q: asked.join(' '), limit: '50' });
            const { json } = await wall.get(`/api/v1/posts/search?${query}`);
            assert.deepEqual(
              json.posts.map(({ id }: { id: string }) => id),
              model.matching(asked),
              asked.join(' '),
            );
          }
          assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
        }),
        { numRuns: 6, endOnFailure: true },
      );
    },
  );
}
