import { openPage } from './support/app.ts';
import { articles } from './support/feed.ts';
import { searchField, searchLink, seedBakeries } from './support/search.ts';
import { expect, test } from './support/test.ts';

test('the slash opens the search and puts the cursor into its field', async ({ page, ownWall }) => {
  await seedBakeries(ownWall, 2);
  await openPage(page, ownWall.url);
  await expect(searchLink(page)).toHaveAttribute('aria-keyshortcuts', '/');
  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.type('пекарня/');
  await expect(searchField(page)).toHaveValue('пекарня/');
  await searchField(page).fill('пекарня');
  await page.keyboard.press('Enter');
  await expect(articles(page)).toHaveCount(2);
  await page.keyboard.press('j');
  await expect(articles(page).first()).toBeFocused();
  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  // The query is selected: typing replaces it.
  await page.keyboard.type('другом');
  await expect(searchField(page)).toHaveValue('другом');
});

test('the slash works in a Russian layout, where its key types a full stop', async ({ page }) => {
  await openPage(page, '/');
  const russian = await page.context().newCDPSession(page);
  await russian.send('Input.dispatchKeyEvent', { type: 'keyDown', code: 'Slash', key: '.' });
  await expect(searchField(page)).toBeFocused();
  await expect(searchField(page)).toHaveValue('');
});
