import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { wordsOf } from '../../../test/kit/journeys/find.ts';
import { enter } from '../../../test/kit/journeys/enter.ts';
import { openStory } from '../../../test/kit/journeys/open-story.ts';
import { openTextBrowser, type TextBrowser } from '../../../test/kit/journeys/text-browser.ts';

const searchPath = (q: string): string => `/search?${new URLSearchParams({ q })}`;
const field = 'Поиск по записям';
const hints = ['"точная фраза"', 'от:имя', 'с:2026-01-01', 'по:2026-02-01'];

const wordsIn = (browser: TextBrowser, selector: string): string[] =>
  [...browser.page().document.querySelectorAll(selector)].map(wordsOf);
const shown = (browser: TextBrowser): string[] => wordsIn(browser, '[role=feed] article > div > [dir=auto]');
const marks = (browser: TextBrowser): string[] => wordsIn(browser, 'main mark');

/** A wall with posts that contain «пекарня», the first of which is the newest, and a visitor. */
async function openBakeries(count: number, settings: NodeJS.ProcessEnv = {}) {
  const wall = await openStory('sqlite', settings);
  const { seed, author } = wall.world;
  const texts = Array.from({ length: count }, (_, index) => `Пекарня ${index + 1}`);
  await seed.posts(['О другом', ...texts.toReversed()].map((text) => ({ by: author.id, text, age: 3_600 })));
  return { ...wall, texts, visitor: openTextBrowser(wall.url) };
}

test('the HTML of a search has its results, marked, and stays out of search engines', async () => {
  await using wall = await openBakeries(2);
  const { visitor, world, texts } = wall;
  const [reply] = await world.seed.replies(world.postId, [{ by: world.author.id, text: 'Пекарня #пекарня' }]);
  await visitor.open(searchPath(' пекарня '));
  assert.deepEqual(shown(visitor), ['Пекарня #пекарня', ...texts]);
  assert.deepEqual(marks(visitor), ['Пекарня', 'пекарня', 'Пекарня', 'Пекарня']);
  const { document, body } = visitor.page();
  assert.ok(document.querySelector(`article a[href="/posts/${reply}"]`));
  assert.match(await visitor.text(), /Где взять закваску/);
  assert.equal(wordsOf(document.querySelector('article a mark')!), 'пекарня');
  assert.equal(visitor.valueOf('q'), 'пекарня');
  assert.match(body, /<meta name="robots" content="noindex"\/>/);
  assert.equal(document.title, 'пекарня: поиск - Стена');
  await visitor.open(searchPath('другом'));
  assert.deepEqual(marks(visitor), ['другом']);
  await visitor.open(searchPath('пекарня'));
  assert.equal(marks(visitor).length, 4, 'pages are cached by their queries');
  await visitor.open('/');
  assert.doesNotMatch(visitor.page().body, /noindex/);
});

test('the results of a search continue page by page without scripts', async () => {
  await using wall = await openBakeries(25);
  await wall.visitor.open('/search');
  await wall.visitor.send('Найти', { [field]: 'пекарня' });
  const read = shown(wall.visitor);
  while (read.length < 25) {
    await wall.visitor.follow('Дальше');
    read.push(...shown(wall.visitor));
  }
  assert.deepEqual(read, wall.texts);
  assert.ok(!(await wall.visitor.text()).includes('Дальше'));
});

test('a search without a match or a query shows hints, and one in the other layout is offered corrected', async () => {
  await using wall = await openBakeries(1);
  const { visitor } = wall;
  const says = async (...all: string[]) => {
    const text = await visitor.text();
    for (const each of all) assert.ok(text.includes(each), each);
  };
  await visitor.open(searchPath('  '));
  await says('Ищем в записях и ответах', ...hints);
  assert.equal(visitor.page().document.title, 'Поиск - Стена');
  assert.deepEqual(wordsIn(visitor, 'main summary'), ['Как искать']);
  assert.doesNotMatch(await visitor.text(), /Сейчас обсуждают/);
  await visitor.open(searchPath('кондитерская'));
  await says('Ничего не нашлось', ...hints);
  assert.deepEqual(wordsIn(visitor, 'main summary'), ['Как искать']);
  assert.doesNotMatch(await visitor.text(), /Другая раскладка/);
  await visitor.open(searchPath('gtrfhyz'));
  await visitor.follow('Искать «пекарня»');
  assert.equal(await visitor.path(), searchPath('пекарня'));
  assert.deepEqual(shown(visitor), wall.texts);
  await visitor.open(`${searchPath('пекарня')}&cursor=nonsense`);
  assert.equal(visitor.page().status, 404);
  await says('Страница не существует');
  for (const [q, problem] of [
    ['***', 'Введите слова, автора или даты.'],
    ['хлеб с:2026-02-31', 'Такой даты нет: 2026-02-31. Дата пишется так: 2026-01-31.'],
    ['я'.repeat(limits.searchLength + 1), 'Запрос слишком длинный'],
  ] as const) {
    await visitor.open(searchPath(q));
    await says(problem);
    assert.equal(visitor.valueOf('q'), q);
  }
});

test('a search without a query has three discussions that go on, the same for everyone and current', async () => {
  await using wall = await openBakeries(4);
  const { visitor, world, url } = wall;
  const { seed, author } = world;
  const readers = [await seed.person('reader_2'), await seed.person('reader_3')];
  const ids = await seed.posts([1, 2, 3, 4].map((n) => ({ by: author.id, text: `Разговор ${n}`, age: 1_000 })));
  for (const id of ids)
    await seed.replies(
      id,
      readers.map((by) => ({ by, text: 'Да' })),
    );
  await visitor.open('/search');
  const talks = [3, 2, 1].map((n) => [`Разговор ${n + 1} 2 ответа`, `/posts/${ids[n]}`]);
  const read = (browser: TextBrowser) =>
    [...browser.page().document.querySelectorAll('main section li a')].map((link) => [
      wordsOf(link),
      link.getAttribute('href'),
    ]);
  assert.deepEqual(wordsIn(visitor, 'main h2'), ['Сейчас обсуждают']);
  assert.deepEqual(read(visitor), talks);
  const member = await enter(wall);
  await member.open('/search');
  assert.deepEqual(read(member), talks);
  assert.equal(await (await fetch(`${url}/search`)).text(), await (await fetch(`${url}/search`)).text());
  await member.open(`/posts/${ids[0]}/reply`);
  await member.send('Опубликовать', { 'Текст ответа': 'И я' });
  await visitor.open('/search');
  assert.deepEqual(read(visitor)[0], ['Разговор 1 3 ответа', `/posts/${ids[0]}`]);
});

test('visitors who may not search are asked to sign in', async () => {
  await using wall = await openBakeries(1, { SEARCH: 'members' });
  const { visitor } = wall;
  await visitor.open(searchPath('пекарня'));
  assert.match(await visitor.text(), /Войдите, чтобы искать записи и ответы/);
  assert.equal(visitor.valueOf('q'), 'пекарня');
  assert.doesNotMatch(visitor.page().body, /Пекарня/);
  assert.match(visitor.page().body, /noindex/);
});
