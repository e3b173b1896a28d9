import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FoundPosts } from '#contract/search.ts';
import { engines } from '../../../test/kit/engines.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { onWalls } from '../../../test/kit/on-walls.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { compareSearches } from '../../../test/kit/search-comparison.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { fold, stem } from '#contract/lexemes.ts';
import { deleteUser } from '../account/account-store.ts';
import { blockUser, unblockUser } from '../moderation/moderation-store.ts';
import { changeText, lockPost } from '../posts/post-writes.ts';

const onWall = onWalls({ RATE_LIMITS: 'off' });

const path = (q: string, more: Record<string, string> = {}): string =>
  `/posts/search?${new URLSearchParams({ q, ...more })}`;

async function search(wall: Wall, q: string, more: Record<string, string> = {}): Promise<FoundPosts> {
  const { status, json, text } = await wall.get(`/api/v1${path(q, more)}`);
  assert.equal(status, 200, text);
  return json;
}

const textsFor = async (wall: Wall, q: string): Promise<string[]> =>
  (await search(wall, q)).posts.map(({ text }) => text);

/** Writes posts of one person, oldest first. */
async function write(wall: Wall, texts: readonly string[]): Promise<void> {
  const author = await wall.person('anna_petrova');
  for (const text of texts) await wall.post(author, text);
}

onWall('search finds posts and replies in any form of the words, all of them required, newest first', async (wall) => {
  await write(wall, ['Купил ёлку', 'ЕЛКИ стоят', 'Где купить книги?', 'Нет ёлок']);
  await wall.reply(await wall.person('boris_ivanov'), 2, 'Ёлка куплена, купили вчера');
  const texts = await textsFor(wall, 'ёлка');
  assert.deepEqual(texts, ['Ёлка куплена, купили вчера', 'Нет ёлок', 'ЕЛКИ стоят', 'Купил ёлку']);
  assert.deepEqual(await textsFor(wall, 'елки купил'), ['Ёлка куплена, купили вчера', 'Купил ёлку']);
  assert.deepEqual(await textsFor(wall, 'ёлка книга'), []);
  const [reply] = (await search(wall, 'вчера')).posts;
  assert.equal(reply!.actions.replied_post!.text, 'ЕЛКИ стоят');
});

onWall('search finds phrases, tags, authors and dates', async (wall) => {
  await write(wall, ['красная площадь', 'площадь красная', '#Красная', 'красные площади']);
  const other = await wall.person('boris_ivanov');
  wall.clock.now = Date.parse('2026-01-31T23:59:59Z') / 1_000;
  await wall.post(other, 'красная Площадь зимой');
  await wall.post(other, 'красная площадь весной');
  assert.deepEqual(await textsFor(wall, '"красная площадь"'), [
    'красная площадь весной',
    'красная Площадь зимой',
    'красная площадь',
  ]);
  assert.deepEqual(await textsFor(wall, '#красная'), ['#Красная']);
  assert.deepEqual(await textsFor(wall, '«площадь красная» от:Anna_Petrova'), ['площадь красная']);
  assert.deepEqual(await textsFor(wall, 'красная от:nobody_here'), []);
  assert.deepEqual(await textsFor(wall, 'площадь с:2026-02-01'), ['красная площадь весной']);
  assert.deepEqual(await textsFor(wall, 'площадь с:2026-01-31 по:2026-01-31'), ['красная Площадь зимой']);
  assert.equal((await textsFor(wall, 'площадь по:2026-01-30')).length, 3);
});

onWall('search finds everything of an author or of a time, and says that there is no such author', async (wall) => {
  const texts = Array.from({ length: 30 }, (_, i) => `${i}`);
  await write(wall, texts);
  const boris = await wall.person('boris_ivanov');
  for (let i = 1; i <= 30; i += 1) await wall.reply(boris, i, `ответ ${i}`);
  wall.clock.now = Date.parse('2026-01-31T12:00:00Z') / 1_000;
  await wall.post(boris, 'своя');
  await wall.reply(boris, 1, 'ещё один');
  const ofBoris = ['ещё один', 'своя', ...Array.from({ length: 30 }, (_, i) => `ответ ${30 - i}`)];
  const first = await search(wall, 'от:Boris_Ivanov', { limit: '12' });
  const second = await search(wall, 'от:Boris_Ivanov', { limit: '50', cursor: first.next! });
  assert.deepEqual(
    [...first.posts, ...second.posts].map(({ text }) => text),
    ofBoris,
  );
  assert.equal(second.next, null);
  assert.deepEqual(await textsFor(wall, 'с:2026-01-31'), ofBoris.slice(0, 2));
  assert.deepEqual(await textsFor(wall, 'с:2026-02-01'), []);
  assert.equal((await textsFor(wall, 'по:2026-01-30'))[0], 'ответ 30');
  assert.deepEqual(await textsFor(wall, 'от:anna_petrova с:2026-01-31'), []);
  assert.equal((await search(wall, 'от:anna_petrova с:2026-01-31')).unknown_author, null);
  for (const q of ['от:nobody_here', 'слово от:nobody_here']) {
    const { posts, next, unknown_author: unknown } = await search(wall, q);
    assert.deepEqual([posts, next, unknown], [[], null, 'nobody_here'], q);
  }
  const { text: page } = await wall.get(`/search?q=${encodeURIComponent('от:nobody_here')}`);
  assert.match(page, /На стене нет человека с именем «nobody_here»/);
  await wall.db.tx((tx) => blockUser(tx, boris, 'спам', wall.clock.now));
  const blocked = await search(wall, 'от:boris_ivanov');
  assert.deepEqual([blocked.posts, blocked.unknown_author], [[], null]);
  assert.deepEqual(await textsFor(wall, 'с:2026-01-31'), []);
});

onWall('search continues after the last post received, whatever has been written in between', async (wall) => {
  await write(
    wall,
    Array.from({ length: 25 }, (_, i) => `запись ${i}`),
  );
  const first = await search(wall, 'запись');
  assert.equal(first.posts.length, 10);
  await wall.post(1, 'новая запись');
  await wall.remove(Number(first.posts.at(-1)!.id));
  const second = await search(wall, 'запись', { cursor: first.next!, limit: '14' });
  const third = await search(wall, 'запись', { cursor: second.next!, limit: '1' });
  const numbers = [...first.posts, ...second.posts, ...third.posts].map(({ text }) => text);
  assert.deepEqual(
    numbers,
    Array.from({ length: 25 }, (_, i) => `запись ${24 - i}`),
  );
  assert.equal(third.next, null);
});

onWall('search offers the query in the other keyboard layout if that finds something', async (wall) => {
  await write(wall, ['Привет, стена']);
  assert.equal((await search(wall, 'ghbdtn')).corrected, 'привет');
  assert.equal((await search(wall, 'rjirf')).corrected, null);
  assert.equal((await search(wall, 'привет')).corrected, null);
});

for (const [most, many, text] of [
  ['250 posts', 270, 'снег белый'],
  ['50,000 letters', 160, `снег белый ${'а'.repeat(480)}`],
] as const) {
  onWall(`search ends with what it has found after ${most}, and continues from there`, async (wall) => {
    await write(wall, ['белый снег', ...Array.from({ length: many }, () => text)]);
    const first = await search(wall, '"белый снег"');
    assert.deepEqual([first.posts.length, first.corrected], [0, null]);
    const { posts, next } = await search(wall, '"белый снег"', { cursor: first.next! });
    assert.deepEqual([posts.map((post) => post.text), next], [['белый снег'], null]);
  });
}

onWall('search marks what was found', async (wall) => {
  const text = '🔥 Ёлки и палки: «новый год» у ёлки #ёлка';
  await write(wall, [text]);
  const marked = async (q: string): Promise<string[]> =>
    (await search(wall, q)).highlights[0]!.map(([start, end]) => text.slice(start, end));
  assert.deepEqual(await marked('ёлку'), ['Ёлки', 'ёлки', 'ёлка']);
  assert.deepEqual(await marked('палка "новый год"'), ['палки', 'новый год']);
  assert.deepEqual(await marked('"новый год" года #елка'), ['новый год', '#ёлка']);
});

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

const sameWord = (a: string, b: string): boolean => stem(fold(a)) === stem(fold(b));

/** Ids of the visible posts with all these stems, newest first. */
async function matching({ db }: Wall, asked: readonly string[]): Promise<string[]> {
  const posts = await db.read
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.user_id')
    .select(['posts.id', 'posts.text'])
    .where('deleted_at', 'is', null)
    .where('blocked_at', 'is', null)
    .orderBy('posts.id', 'desc')
    .execute();
  const found = posts.filter((post) => asked.every((word) => post.text.split(' ').some((own) => sameWord(own, word))));
  return found.map(({ id }) => String(id));
}

async function take(wall: Wall, people: number[], { kind, of, text: written }: Step): Promise<void> {
  const { db, clock } = wall;
  const person = people[of % people.length]!;
  const rows = await db.read
    .selectFrom(kind === 'restore' ? 'removed_posts' : 'posts')
    .select('id')
    .where('user_id', 'in', people)
    .orderBy('id')
    .execute();
  const post = rows[of % rows.length]?.id;
  if (kind === 'write') await wall.post(person, written);
  else if (kind === 'block') await db.tx((tx) => blockUser(tx, person, 'спам', clock.now));
  else if (kind === 'unblock') await db.tx((tx) => unblockUser(tx, person));
  else if (kind === 'clear') await runJobs(db, (clock.now += 61));
  else if (kind === 'leave' && people.length > 1) {
    people.splice(of % people.length, 1);
    await db.tx((tx) => deleteUser(tx, person, clock.now));
  } else if (post) await change(wall, post, { kind, of: person, text: written });
}

async function change(wall: Wall, post: number, { kind, of, text: written }: Step): Promise<void> {
  const { db, clock } = wall;
  if (kind === 'reply') await wall.reply(of, post, written);
  if (kind === 'edit') await db.tx(async (tx) => changeText(tx, (await lockPost(tx, post))!, written, clock.now));
  if (kind === 'delete') await wall.remove(post);
  if (kind === 'remove') await removePost(wall, String(post));
  if (kind === 'restore') assert.equal(await restore(wall, String(post)), 'restored');
}

for (const engine of engines) {
  test(`exactly the visible posts are found after any course of events on ${engine}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
        await using wall = await openWall(engine, { RATE_LIMITS: 'off', READS_PER_MINUTE: '1000000' });
        const people: number[] = [];
        for (let i = 0; i < 3; i += 1) people.push(await wall.person(`person_${i}`));
        for (const [i, next] of steps.entries()) {
          await take(wall, people, next);
          const asked = [words[i % words.length]!, ...(i % 3 === 0 ? [words[(i + 1) % words.length]!] : [])];
          const { posts } = await search(wall, asked.join(' '), { limit: '50' });
          assert.deepEqual(
            posts.map(({ id }) => id),
            await matching(wall, asked),
            asked.join(' '),
          );
        }
        assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
}

test('random queries have the same results on both engines', async () => {
  const { queries, fruitful, differences } = await compareSearches({ posts: 1_000, queries: 300 });
  assert.deepEqual(differences, []);
  assert.ok(queries === 300 && fruitful > 150, `${fruitful} of ${queries} queries found something`);
});
