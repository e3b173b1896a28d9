import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { search, searchField, searchPath } from './support/search.ts';
import { expect, test } from './support/test.ts';
import { expectTexts, heading } from './support/views.ts';

const text = 'Соседи, #ремонт крыши! Спросите @galina_m (https://example.org/a#ремонт), a@galina_m.ru и @nobody_77';

test('a hashtag leads to the search for it, a mention to the author', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts([
    { by, text: 'Ремонт без решётки' },
    { by, text },
  ]);
  await openPage(page, ownWall.url);
  await markDocument(page);
  const links = cardOf(page, 'Соседи').locator('[dir=auto] a');
  await expect(links).toHaveText(['#ремонт', '@galina_m', 'https://example.org/a#ремонт', '@nobody_77']);
  await expect(cardOf(page, 'Соседи').locator('[dir=auto]')).toHaveText(text);
  await links.first().click();
  await expect(page).toHaveURL(ownWall.url + searchPath('#ремонт'));
  await expect(searchField(page)).toHaveValue('#ремонт');
  await expectTexts(page, [text]);

  await page.getByRole('link', { name: '@galina_m' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/users/galina_m`);
  await expect(heading(page)).toHaveText('galina_m');
  await expectSameDocument(page);
});

test('the mention of nobody leads to a page that is not found', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts([{ by, text }]);
  await openPage(page, ownWall.url);
  await page.getByRole('link', { name: '@nobody_77' }).click();
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
});

test('matches are marked inside links, too', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts([{ by, text: 'О том, что #ремонт идёт и в мае. Ремонт!' }]);
  await search(page, ownWall, 'ремонт');
  await expectTexts(page, ['О том, что #ремонт идёт и в мае. Ремонт!']);
  await expect(page.locator('main mark')).toHaveText([/^#?ремонт$/, 'Ремонт']);
  await expect(page.locator('main [dir=auto] a mark')).toHaveCount(1);
  const shown = await cardOf(page, 'Ремонт').locator('[dir=auto]').textContent();
  expect(shown).toContain('идёт и\u00a0в\u00a0мае');
});
