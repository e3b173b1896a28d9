import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';
import { matches, searchField, searchPath } from '../../../../test/kit/screen/search.ts';
import { card, hasTexts } from '../../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { showsPath, titleOf } from '../../../../test/kit/screen/views.ts';

const text = 'Соседи, #ремонт крыши! Спросите @galina_m (https://example.org/a#ремонт), a@galina_m.ru и @nobody_77';

async function wallWith(...texts: string[]) {
  const wall = await openSeeded();
  const by = await wall.seed.person('galina_m');
  await wall.seed.posts(texts.map((each) => ({ by, text: each })));
  return wall;
}

test('a hashtag leads to the search for it, a mention to the author', async () => {
  await using wall = await wallWith('Ремонт без решётки', text);
  await using screen = await openScreen(wall, '/');
  const shown = card(screen, 'Соседи').querySelector('[dir=auto]')!;
  const links = [...shown.querySelectorAll('a')];
  assert.deepEqual(links.map(textOf), ['#ремонт', '@galina_m', 'https://example.org/a#ремонт', '@nobody_77']);
  assert.equal(textOf(shown), text);
  await screen.click(links[0]!);
  await showsPath(screen, searchPath('#ремонт'));
  await screen.until(() => assert.equal(searchField(screen).value, '#ремонт'));
  await hasTexts(screen, [text]);
  await screen.click(screen.main().getByRole('link', { name: '@galina_m' }));
  await showsPath(screen, '/users/galina_m');
  await screen.until(() => assert.equal(titleOf(screen), 'galina_m'));
});

test('lines that begin with > are a quotation, which keeps its signs in a copied text', async () => {
  const quoting = 'Сначала\n> спросите @galina_m\n> и #ремонт\nСпросил.';
  await using wall = await wallWith(quoting);
  await using screen = await openScreen(wall, '/');
  const shown = card(screen, 'Спросил').querySelector('[dir=auto]')!;
  assert.equal(shown.textContent.replaceAll('\u00a0', ' '), quoting);
  const quotation = shown.querySelector('blockquote')!;
  assert.equal(textOf(quotation), '> спросите @galina_m > и #ремонт');
  assert.deepEqual([...quotation.querySelectorAll('a')].map(textOf), ['@galina_m', '#ремонт']);
});

test('the mention of nobody leads to a page that is not found', async () => {
  await using wall = await wallWith(text);
  await using screen = await openScreen(wall, '/');
  await screen.click(screen.getByRole('link', { name: '@nobody_77' }));
  await screen.findByRole('heading', { name: 'Страница не существует' });
});

test('matches of a search are marked inside links, too', async () => {
  const found = 'О том, что #ремонт идёт и в мае. Ремонт!';
  await using wall = await wallWith(found);
  await using screen = await openScreen(wall, searchPath('ремонт'));
  await hasTexts(screen, [found]);
  const marked = matches(screen);
  assert.equal(marked.length, 2);
  assert.match(marked[0]!, /^#?ремонт$/);
  assert.equal(marked[1], 'Ремонт');
  const shown = card(screen, 'Ремонт').querySelector('[dir=auto]')!;
  assert.equal(shown.querySelectorAll('a mark').length, 1);
  assert.ok(shown.textContent.includes('идёт и\u00a0в\u00a0мае'));
});
