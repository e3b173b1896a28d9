import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FoundPosts } from '#contract/search.ts';
import { engines } from '../../../test/kit/engines.ts';
import { deleteAccount, type Member, publish, register } from '../../../test/kit/member.ts';
import { removePost, restore } from '../../../test/kit/moderation.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { blockUser, unblockUser } from '../moderation/store.ts';

const path = (q: string, more: Record<string, string> = {}): string =>
  `/posts/search?${new URLSearchParams({ q, ...more })}`;

async function search(wall: Wall, q: string, more: Record<string, string> = {}): Promise<FoundPosts> {
  const { status, json, text } = await wall.get(`/api/v1${path(q, more)}`);
  assert.equal(status, 200, text);
  return json;
}

const textsFor = async (wall: Wall, q: string): Promise<string[]> =>
  (await search(wall, q)).posts.map(({ text }) => text);

/** A wall with the posts of one person, oldest first. */
async function wallWith(engine: (typeof engines)[number], texts: string[]): Promise<Wall> {
  const wall = await openWall(engine, { RATE_LIMITS: 'off' });
  const author = await wall.person('anna_petrova');
  for (const text of texts) await wall.post(author, text);
  return wall;
}

for (const engine of engines) {
  describe(`search on ${engine}`, () => {
    test('finds posts and replies in any form of the words, all of them required, newest first', async () => {
      await using wall = await wallWith(engine, ['Купил ёлку', 'ЕЛКИ стоят', 'Где купить книги?', 'Нет ёлок']);
      await wall.reply(await wall.person('boris_ivanov'), 2, 'Ёлка куплена, купили вчера');
      const texts = await textsFor(wall, 'ёлка');
      assert.deepEqual(texts, ['Ёлка куплена, купили вчера', 'Нет ёлок', 'ЕЛКИ стоят', 'Купил ёлку']);
      assert.deepEqual(await textsFor(wall, 'елки купил'), ['Ёлка куплена, купили вчера', 'Купил ёлку']);
      assert.deepEqual(await textsFor(wall, 'ёлка книга'), []);
      const [reply] = (await search(wall, 'вчера')).posts;
      assert.equal(reply!.actions.replied_post!.text, 'ЕЛКИ стоят');
    });

    test('finds phrases, tags, authors and dates', async () => {
      await using wall = await wallWith(engine, ['красная площадь', 'площадь красная', '#Красная', 'красные площади']);
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

    test('finds everything of an author or of a time, and says that there is no such author', async () => {
      const texts = Array.from({ length: 30 }, (_, i) => `${i}`);
      await using wall = await wallWith(engine, texts);
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
      assert.match(page, /На\sстене нет\sчеловека с\sименем «nobody_here»/);
      await wall.db.tx((tx) => blockUser(tx, boris, 'спам', wall.clock.now));
      const blocked = await search(wall, 'от:boris_ivanov');
      assert.deepEqual([blocked.posts, blocked.unknown_author], [[], null]);
      assert.deepEqual(await textsFor(wall, 'с:2026-01-31'), []);
    });

    test('marks what was found', async () => {
      const text = '🔥 Ёлки и палки: «новый год» у ёлки #ёлка';
      await using wall = await wallWith(engine, [text]);
      const marked = async (q: string): Promise<string[]> =>
        (await search(wall, q)).highlights[0]!.map(([start, end]) => text.slice(start, end));
      assert.deepEqual(await marked('ёлку'), ['Ёлки', 'ёлки', 'ёлка']);
      assert.deepEqual(await marked('палка "новый год"'), ['палки', 'новый год']);
      assert.deepEqual(await marked('"новый год" года #елка'), ['новый год', '#ёлка']);
    });

    test('continues after the last post received, whatever has been written in between', async () => {
      await using wall = await wallWith(
        engine,
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

    test('offers the query in the other keyboard layout if that finds something', async () => {
      await using wall = await wallWith(engine, ['Привет, стена']);
      assert.equal((await search(wall, 'ghbdtn')).corrected, 'привет');
      assert.equal((await search(wall, 'rjirf')).corrected, null);
      assert.equal((await search(wall, 'привет')).corrected, null);
    });

    test('reflects edits, deletions, removals and restorations at once', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const post = await publish(anna, 'первый вариант');
      const reply = await publish(boris, 'вариант ответа', `/posts/${post.id}/replies`);
      await anna.send('PATCH', `/posts/${post.id}`, { text: 'второй текст' });
      assert.deepEqual(await textsFor(wall, 'вариант'), ['вариант ответа']);
      assert.deepEqual(await textsFor(wall, 'текст'), ['второй текст']);
      await removePost(wall, reply.id);
      assert.deepEqual(await textsFor(wall, 'вариант'), []);
      await restore(wall, reply.id);
      assert.deepEqual(await textsFor(wall, 'вариант'), ['вариант ответа']);
      await boris.send('DELETE', `/posts/${reply.id}`);
      assert.deepEqual(await textsFor(wall, 'вариант'), []);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('finds nothing by people who have deleted the account or are blocked', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      await publish(anna, 'слово Анны');
      await publish(boris, 'слово Бориса');
      const { id } = boris;
      await wall.db.tx((tx) => blockUser(tx, Number(id), 'спам', wall.clock.now));
      assert.deepEqual(await textsFor(wall, 'слово'), ['слово Анны']);
      assert.deepEqual(await textsFor(wall, `слово от:${boris.username}`), []);
      await wall.db.tx((tx) => unblockUser(tx, Number(id)));
      assert.deepEqual(await textsFor(wall, 'слово'), ['слово Бориса', 'слово Анны']);
      await deleteAccount(wall, anna);
      assert.deepEqual(await textsFor(wall, 'слово'), ['слово Бориса']);
      await runJobs(wall.db, wall.clock.now);
      assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
    });

    test('shows the signed-in reader which posts they like', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const post = await publish(anna, 'моё слово');
      await anna.send('POST', `/posts/${post.id}/likes`);
      const liked = async (member?: Member): Promise<boolean> => {
        const found = member ? (await member.send('GET', path('слово'))).json() : await search(wall, 'слово');
        return found.posts[0].actions.is_liked;
      };
      assert.deepEqual([await liked(anna), await liked(), await liked(await register(wall))], [true, false, false]);
    });

    test('ends with what it has found after examining 250 posts, and continues from there', async () => {
      const texts = Array.from({ length: 270 }, (_, i) => (i === 5 ? 'белый снег' : 'снег белый'));
      await using wall = await wallWith(engine, texts);
      const first = await search(wall, '"белый снег"');
      assert.deepEqual([first.posts.length, first.corrected], [0, null]);
      const second = await search(wall, '"белый снег"', { cursor: first.next! });
      assert.deepEqual(
        second.posts.map(({ text }) => text),
        ['белый снег'],
      );
    });
  });
}
