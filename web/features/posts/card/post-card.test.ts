import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementIn, wordsOf } from '../../../../test/kit/journeys/find.ts';
import { openStory } from '../../../../test/kit/journeys/open-story.ts';
import { openTextBrowser } from '../../../../test/kit/journeys/text-browser.ts';
import { shortLink } from './short-link.ts';

/** A wall, a reader, and the card of a post by its text. */
async function openCards() {
  const wall = await openStory('sqlite');
  const browser = openTextBrowser(wall.url);
  const { seed, author } = wall.world;
  const card = (text: string): Element =>
    [...browser.page().document.querySelectorAll('article')].find((each) => wordsOf(each).includes(text))!;
  return {
    ...wall,
    seed,
    browser,
    by: author.id,
    card,
    textIn: (text: string): Element => card(text).querySelector('[dir=auto]:not(bdi)')!,
    countsOf: (text: string): string[] =>
      [...card(text).querySelectorAll('button')].map(wordsOf).filter((words) => /^(Нравится|Ответить)/.test(words)),
    beginning: (): string =>
      wordsOf(browser.page().document.querySelector('[role=group][aria-label="Начало обсуждения"]')!),
  };
}

test('a card names its author, its age and its counts, and a face belongs to each author', async () => {
  await using wall = await openCards();
  const { seed, by, browser, card } = wall;
  const [first, , changed] = await seed.posts([
    { by, text: 'Первая', age: 65 * 60 },
    { by: await seed.person('galina_m'), text: 'Чужая' },
    { by, text: 'Изменённая', age: 366 * 86_400 },
  ]);
  await seed.mark(changed!, { modified_at: 1_700_000_000 });
  await seed.mark(first!, { likes_count: 1_299, thread_count: 1_000_000 });
  await browser.open('/');
  const time = card('Первая').querySelector('[data-permalink]')!;
  assert.deepEqual([wordsOf(time), time.getAttribute('href')], ['1 ч.', `/posts/${first}`]);
  const machine = Date.parse(time.querySelector('time')!.getAttribute('datetime')!);
  assert.ok(Math.abs(Date.now() - machine - 65 * 60_000) < 60_000);
  assert.match(wordsOf(card('Изменённая')), /1 г\. изменено/);
  assert.equal(elementIn(card('Первая'), 'a', 'baker_of_bread').getAttribute('href'), '/users/baker_of_bread');
  assert.deepEqual(wall.countsOf('Первая'), ['Нравится 1,2 тыс.', 'Ответить 1 млн.']);
  assert.deepEqual(wall.countsOf('Чужая'), ['Нравится', 'Ответить']);
  const [own, others, again] = ['Первая', 'Чужая', 'Изменённая'].map((text) =>
    card(text).querySelector('[data-face]')!,
  );
  assert.equal(own!.getAttribute('aria-hidden'), 'true');
  assert.equal(own!.outerHTML, again!.outerHTML);
  assert.notEqual(own!.outerHTML, others!.outerHTML);
});

test('where more than half of the people are new, each has the chip once; elsewhere at every post', async () => {
  await using wall = await openCards();
  const { seed, browser } = wall;
  const [vera, oleg] = [await seed.person('vera_new'), await seed.person('oleg_new')];
  for (const id of [vera, oleg]) await seed.newcomer(id);
  await seed.posts([vera, oleg, vera, vera].map((by) => ({ by, text: 'Новое' })));
  const chips = async () => {
    await browser.open('/');
    const cards = [...browser.page().document.querySelectorAll('[role=feed] article')].map(wordsOf);
    return cards.map((words) => (words.includes('недавно здесь') ? 1 : 0)).join('');
  };
  assert.match(await chips(), /^10100*$/);
  for (const name of ['anna_old', 'boris_old', 'galina_old']) {
    await seed.posts([{ by: await seed.person(name), text: 'Старое' }]);
  }
  assert.match(await chips(), /^00011110*$/);
});

test('links, hashtags and mentions of a text are links, inside quotations and where a search marks them', async () => {
  await using wall = await openCards();
  const text =
    'Соседи, #ремонт крыши!\n> Спросите @nobody_77 (https://example.org/a?x=1#ремонт)\nпочта a@galina_m.ru и ремонт';
  await wall.seed.posts([{ by: wall.by, text }]);
  await wall.browser.open('/');
  const shown = wall.textIn('Соседи');
  assert.equal(shown.textContent, text);
  const links = [...shown.querySelectorAll('a')];
  assert.deepEqual(links.map(wordsOf), ['#ремонт', '@nobody_77', 'https://example.org/a?x=1#ремонт']);
  assert.equal(links[2]!.getAttribute('href'), encodeURI(wordsOf(links[2]!)));
  assert.equal(links[2]!.getAttribute('rel'), 'nofollow ugc noopener');
  const quotation = shown.querySelector('blockquote')!;
  assert.deepEqual([...quotation.querySelectorAll('a')].map(wordsOf), ['@nobody_77', wordsOf(links[2]!)]);
  await wall.browser.follow('#ремонт');
  assert.match(decodeURIComponent(await wall.browser.path()), /^\/search\?q=#ремонт$/);
  await wall.browser.open('/search?q=ремонт');
  const marks = [...wall.textIn('Соседи').querySelectorAll('mark')];
  assert.deepEqual(
    marks.map((mark) => mark.closest('a') !== null),
    [true, true, false],
  );
  assert.match(marks.map(wordsOf).join(), /^#?ремонт,#?ремонт,ремонт$/);
  await wall.browser.follow('@nobody_77');
  assert.equal(wall.browser.page().status, 404);
});

test('the page of a reply leads to what it answers, says that it is deleted or was changed later', async () => {
  await using wall = await openCards();
  const { seed, by, browser, beginning } = wall;
  const [root] = await seed.posts([{ by, text: 'Люблю чай', age: 60 }]);
  const [early] = await seed.replies(root!, [{ by: await seed.person('galina_m'), text: 'Первый ответ', age: 30 }]);
  const [nested] = await seed.replies(early!, [{ by, text: 'Ответ ниже', age: 20 }]);
  await browser.open(`/posts/${root}`);
  assert.doesNotMatch(await browser.text(), /изменено/);
  await seed.edit(root!, 'Ненавижу чай');
  await seed.replies(root!, [{ by, text: 'Второй ответ', age: -5 }]);
  await browser.open(`/posts/${root}`);
  assert.equal((await browser.text()).match(/Ненавижу чай/g)!.length, 1);
  assert.match(wordsOf(wall.card('Первый ответ')), /изменено после ответа/);
  for (const text of ['Ответ ниже', 'Второй ответ']) assert.doesNotMatch(wordsOf(wall.card(text)), /после ответа/);
  await browser.open('/users/galina_m/replies');
  assert.match(wordsOf(wall.card('Первый ответ')), /изменено после ответа Ненавижу чай/);

  await browser.open(`/posts/${root}/reply?${new URLSearchParams({ quote: '> чай' })}`);
  assert.match(wordsOf(browser.page().document.querySelector('main blockquote')!), /baker_of_bread.*Ненавижу чай/);
  assert.equal(browser.valueOf('text'), '> чай\n');
  await browser.open(`/posts/${nested}`);
  assert.match(beginning(), /baker_of_breadНенавижу чай.*galina_mПервый ответ$/);
  assert.ok(browser.page().document.querySelector(`[role=group] a[href="/posts/${early}"]`));
  await browser.open(`/posts/${early}`);
  assert.match(beginning(), /изменено после ответа$/);
  await seed.remove(root!);
  await browser.open(`/posts/${early}`);
  assert.equal(beginning(), 'Запись удалена');
});

test('a long text from elsewhere is folded in lists and whole on its own page', async () => {
  await using wall = await openCards();
  await wall.seed.posts([{ by: wall.by, text: 'длинная строка\n'.repeat(100).trim() }]);
  const shown = () => wall.textIn('длинная').textContent.match(/длинная/g)!.length;
  await wall.browser.open('/');
  assert.equal(shown(), 12);
  await wall.browser.follow('Показать целиком');
  assert.equal(shown(), 100);
  assert.doesNotMatch(await wall.browser.text(), /Показать целиком/);
});

test('a long address is shown without its scheme and the rest of its path, but with its whole host', () => {
  const host = `${'bank.example.'.repeat(12)}org`;
  for (const parts of [
    ['https://', 'example.org/articles/2026/1', '1/snow?from=wall'],
    ['http://', 'example.org', ''],
    ['HTTPS://', 'example.org/map?x=1&y=2', ''],
    ['https://', `${host}?${'a'.repeat(15)}`, 'a'.repeat(25)],
  ]) {
    assert.deepEqual(shortLink(parts.join('')), parts);
  }
});
