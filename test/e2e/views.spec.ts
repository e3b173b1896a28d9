import { expectSameDocument, markDocument } from './support/app.ts';
import { cardOf, expectScrollPosition, scrollPosition, scrollToPost, layoutIsStable } from './support/feed.ts';
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
