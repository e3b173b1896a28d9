import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { failures } from '../../../test/kit/screen/failures.ts';
import { openScreen } from '../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { matches, saysInMain, search, searchField, searchPath, seedBakeries } from '../../../test/kit/screen/search.ts';
import { card, cards, hasTexts, scrollUntil } from '../../../test/kit/screen/posts.ts';
import { readPage, readToTheEnd } from '../../../test/kit/screen/read-page.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { showsPath, titleOf } from '../../../test/kit/screen/views.ts';

test('the search field leads to the results, whose address has the query', async () => {
  await using wall = await openSeeded();
  const by = await wall.seed.person('galina_m');
  const [root] = await wall.seed.posts([
    { by, text: 'Где пекарня с хорошим хлебом?' },
    { by, text: 'О погоде' },
  ]);
  await wall.seed.replies(root!, [{ by, text: 'Хорошая пекарня у старого моста' }]);
  await using screen = await openScreen(wall, '/');
  const link = queriesIn(screen.getByRole('navigation', { name: 'Разделы' })).getByRole('link', { name: 'Поиск' });
  await screen.click(link);
  await showsPath(screen, '/search');
  await screen.until(() => assert.equal(titleOf(screen), 'Поиск'));
  const { document } = screen.window;
  await screen.until(() => assert.equal(document.title, 'Поиск - Стена'));
  assert.equal(link.getAttribute('aria-current'), 'page');
  const field = searchField(screen);
  await screen.until(() => assert.ok(screen.focused() === field));
  screen.getByRole('region', { name: 'Как искать' });

  search(screen, ' пекарня ');
  await hasTexts(screen, ['Хорошая пекарня у старого моста', 'Где пекарня с хорошим хлебом?']);
  const { pathname, searchParams } = new URL(screen.window.location.href);
  assert.deepEqual([pathname, searchParams.get('q')!.trim()], ['/search', 'пекарня']);
  await screen.until(() => assert.equal(document.title, 'пекарня: поиск - Стена'));
  assert.deepEqual(matches(screen), ['пекарня', 'пекарня']);
  await screen.until(() => assert.ok(screen.focused() === screen.getByRole('main')));
  assert.equal(screen.queryByRole('region', { name: 'Как искать' }), null);
  queriesIn(card(screen, 'Хорошая пекарня')).getByRole('link', { name: /Где пекарня/ });
  assert.deepEqual(screen.loads, []);
});

test('the server’s HTML has the results and stays out of search engines', async () => {
  await using wall = await openSeeded();
  await seedBakeries(wall, 2);
  await using screen = await openScreen(wall, searchPath('пекарня'));
  await hasTexts(screen, ['Пекарня 1', 'Пекарня 2']);
  assert.equal(searchField(screen).value, 'пекарня');
  assert.ok(screen.focused() !== searchField(screen));
  const { text } = await wall.get(searchPath('пекарня'));
  assert.ok(text.includes('<meta name="robots" content="noindex"/>'));
  assert.match(text, /<mark[^>]*>Пекарня<\/mark> 1/);
  assert.ok(text.includes('<title>пекарня: поиск - Стена</title>'));
  assert.doesNotMatch((await wall.get('/')).text, /noindex/);
  assert.match((await wall.get(searchPath('другом'))).text, /О\s<mark[^>]*>другом<\/mark>/);
});

test('the results of a search continue page by page, with and without scripts', async () => {
  await using wall = await openSeeded();
  await seedBakeries(wall, 25);
  const texts = Array.from({ length: 25 }, (_, index) => `Пекарня ${index + 1}`);
  const field = (await readPage(wall, '/search')).getByRole('searchbox');
  assert.deepEqual([field.closest('form')!.getAttribute('action'), field.getAttribute('name')], ['/search', 'q']);
  assert.deepEqual(await readToTheEnd(wall, searchPath('пекарня')), texts);

  await using screen = await openScreen(wall, searchPath('пекарня'));
  assert.equal(cards(screen)[0]!.getAttribute('aria-setsize'), '-1');
  await scrollUntil(screen, 25);
  await hasTexts(screen, texts);
  const last = cards(screen).at(-1)!;
  assert.deepEqual([matches(screen).at(-1), last.getAttribute('aria-setsize')], ['Пекарня', '25']);
});

test('without a match the page of the search says so, with hints', async () => {
  await using wall = await openSeeded();
  await seedBakeries(wall, 1);
  await using screen = await openScreen(wall, searchPath('кондитерская'));
  await screen.findByRole('heading', { name: 'Ничего не нашлось' });
  const hints = queriesIn(screen.getByRole('region', { name: 'Как искать' }));
  for (const hint of ['"точная фраза"', 'от:имя', 'с:2026-01-01', 'по:2026-02-01']) hints.getByText(hint);
  assert.doesNotMatch(textOf(screen.getByRole('main')), /Другая раскладка/);
});

test('a query typed in the other keyboard layout is offered corrected', async () => {
  await using wall = await openSeeded();
  await wall.seed.posts([{ by: await wall.seed.person('galina_m'), text: 'Всем привет' }]);
  await using screen = await openScreen(wall, '/search');
  search(screen, 'ghbdtn');
  await screen.click(await screen.findByRole('link', { name: 'Искать «привет»' }));
  await showsPath(screen, searchPath('привет'));
  await screen.until(() => assert.equal(searchField(screen).value, 'привет'));
  await hasTexts(screen, ['Всем привет']);
});

for (const [q, says] of [
  ['***', 'Введите слова, автора или даты.'],
  ['хлеб с:2026-02-31', 'Такой даты нет: 2026-02-31. Дата пишется так: 2026-01-31.'],
  ['я'.repeat(limits.searchLength + 1), 'Запрос слишком длинный'],
] as const) {
  test(`the query ${q.slice(0, 20)} is not searched for, and the page says why`, async () => {
    await using wall = await openSeeded();
    await seedBakeries(wall, 1);
    {
      await using screen = await openScreen(wall, searchPath(q));
      await saysInMain(screen, says);
      assert.equal(searchField(screen).value, q);
    }
    await using screen = await openScreen(wall, '/search');
    // The field itself takes no more than the limit.
    searchField(screen).removeAttribute('maxlength');
    search(screen, q);
    await saysInMain(screen, says);
  });
}

test('an empty query shows the hints', async () => {
  await using wall = await openSeeded();
  await using screen = await openScreen(wall, searchPath('  '));
  screen.getByRole('region', { name: 'Как искать' });
  await screen.until(() => assert.ok(screen.focused() === searchField(screen)));
  assert.equal(screen.window.document.title, 'Поиск - Стена');
});

test('a broken cursor of a search is a missing page', async () => {
  await using wall = await openSeeded();
  await using screen = await openScreen(wall, `${searchPath('пекарня')}&cursor=nonsense`);
  await screen.findByRole('heading', { name: 'Страница не существует' });
  assert.equal((await wall.get(`${searchPath('пекарня')}&cursor=nonsense`)).status, 404);
});

for (const { what, respond, says } of failures) {
  test(`after ${what} the search field stays, and a retry finds the posts`, async () => {
    await using wall = await openSeeded();
    await seedBakeries(wall, 1);
    await using screen = await openScreen(wall, '/search');
    const recover = screen.network.intercept(/posts\/search/, respond);
    search(screen, 'пекарня');
    await saysInMain(screen, says);
    assert.equal(searchField(screen).value, 'пекарня');
    recover();
    await screen.click(screen.getByRole('button', { name: 'Повторить' }));
    await hasTexts(screen, ['Пекарня 1']);
    assert.equal(searchField(screen).value, 'пекарня');
  });
}

test('the HTML of a search for members only has no posts', async () => {
  await using wall = await openSeeded({ SEARCH: 'members' });
  await seedBakeries(wall, 1);
  const { text } = await wall.get(searchPath('пекарня'));
  assert.doesNotMatch(text, /Пекарня/);
  assert.match(text, /noindex/);
});
