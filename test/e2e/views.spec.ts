import { expectAccessible } from './support/accessible.ts';
import { expectSameDocument, markDocument } from './support/app.ts';
import { signIn } from './support/sign-in.ts';
import { cardOf, expectScrollPosition, scrollPosition, scrollToPost, layoutIsStable } from './support/feed.ts';
import { longName } from './support/populated-wall.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { heading, signInReader } from './support/views.ts';

test('Back restores the exact position several pages down the list', async ({ page, ownWall }) => {
  await signInReader(page, ownWall);
  await page.goto(`${ownWall.url}/liked`);
  await expect(cardOf(page, 'Запись 1').first()).toBeVisible();
  await scrollToPost(page, 45);
  await page.evaluate(() => scrollBy(0, -777));
  await layoutIsStable(page);
  await markDocument(page);
  const before = await scrollPosition(page);
  expect(before).toBeGreaterThan(3_000);
  await page.evaluate(() => navigation.navigate('/settings'));
  await expect(heading(page)).toHaveText('Настройки');
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(heading(page)).toHaveText('Понравившиеся');
  await expectScrollPosition(page, before);
  await scrollToPost(page, 55);
  await expectSameDocument(page);
});

test('the longest name leaves space for the title', async ({ page, mail, ownWall }) => {
  await ownWall.seed.person(longName);
  await signIn(page, mail, ownWall.url, { name: longName, email: `${longName}@example.org` });
  await page.goto(`${ownWall.url}/liked`);
  for (const viewport of [phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    const cut = await heading(page).evaluate((title) => title.scrollWidth - title.clientWidth);
    expect(cut, `${viewport.width} px`).toBe(0);
  }
});

test('the lists are accessible, full and empty', async ({ page, ownWall }) => {
  await signInReader(page, ownWall);
  await page.goto(`${ownWall.url}/liked`);
  await expect(cardOf(page, 'Запись 1').first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${ownWall.url}/own/replies`);
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  await expectAccessible(page);
});
