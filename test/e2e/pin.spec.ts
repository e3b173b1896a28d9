import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openPage } from './support/app.ts';
import { articles } from './support/feed.ts';
import { newPerson } from './support/sign-in.ts';
import { desk, phone } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

const pinned = (page: Page) => page.getByRole('region', { name: 'Объявление' });
const closeButton = (page: Page) => pinned(page).getByRole('button', { name: 'Закрыть объявление' });
const text = 'В субботу соберёмся у фонтана';

/** Twelve posts, of which one is the pinned post, the oldest unless another is named. */
async function seedPinned(wall: Wall, which = 0): Promise<number[]> {
  const { id } = await newPerson(wall);
  const ids = await wall.seed.posts([
    { by: id, text },
    ...Array.from({ length: 11 }, (_, index) => ({ by: id, text: `Запись ${index + 1}` })),
  ]);
  await pin(wall, ids[which]!);
  return ids;
}

const pin = (wall: Wall, id: number): Promise<string> => wall.admin('pin', `${id}`, '--reason', 'важно');

test('the pinned post is first in the feed, the same for everybody, and the numbers stay', async ({
  page,
  ownWall,
}) => {
  const ids = await seedPinned(ownWall);
  await page.setViewportSize(phone);
  await openPage(page, ownWall.url);
  await expect(pinned(page)).toContainText(text);
  await expect(articles(page).first()).toHaveAttribute('aria-setsize', '12');
  const above = await pinned(page).evaluate(
    (card) => card.getBoundingClientRect().bottom - document.querySelector('article')!.getBoundingClientRect().top,
  );
  expect(above).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await pinned(page).getByRole('link', { name: 'Открыть запись' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${ids[0]}`);
  await expect(pinned(page)).toHaveCount(0);
});

test('a closed pinned post is not painted before the app has started', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_BLOCKED_BY_CLIENT/);
  await seedPinned(ownWall, 10);
  await openPage(page, ownWall.url);
  await expect(page.locator('article[data-pinned]')).toHaveCount(0);
  await closeButton(page).click();
  await page.route(/\/assets\/.*\.js/, (route) => route.abort('blockedbyclient'));
  await page.goto(ownWall.url);
  await expect(articles(page).first()).toBeVisible();
  // Above the feed and in the right column.
  await expect(page.locator('[data-pin]')).toHaveCount(2);
  await expect(page.locator('[data-pin]').filter({ visible: true })).toHaveCount(0);
  await expect(page.locator('article[data-pinned]')).toBeVisible();
});

test('nothing moves when the app starts, open or closed', async ({ page, ownWall }) => {
  await seedPinned(ownWall, 10);
  await watchShift(page);
  for (const [name, viewport] of Object.entries({ phone, desk })) {
    await test.step(name, async () => {
      await page.setViewportSize(viewport);
      await openPage(page, ownWall.url);
      await expectNoShift(page);
      await closeButton(page).click();
      await openPage(page, ownWall.url);
      await expectNoShift(page);
      await expect(pinned(page)).toHaveCount(0);
      await page.evaluate(() => localStorage.clear());
    });
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the pinned post can be read, and has no button that would do nothing', async ({ page, ownWall }) => {
    await seedPinned(ownWall, 10);
    await page.goto(ownWall.url);
    await expect(pinned(page)).toContainText('Запись 10');
    await expect(page.locator('article[data-pinned]')).toBeHidden();
    await expect(closeButton(page)).toHaveCount(0);
  });
});
