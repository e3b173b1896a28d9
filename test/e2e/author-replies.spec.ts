import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { hydrated } from './support/app.ts';
import { articles } from './support/feed.ts';
import { longName } from './support/populated-wall.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson } from './support/writing.ts';

const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Записи и ответы' }).getByRole('link', { name, exact: true });

test('the skeleton of a tab has the shape of what comes, which is accessible', async ({ page }) => {
  await page.goto(`/users/${longName}`);
  await hydrated(page);
  let respond = () => {};
  const asked = new Promise<void>((go) => (respond = go));
  await page.route('**/api/v1/posts?*filter=replies*', (route) => asked.then(() => route.continue()));
  await tab(page, 'Ответы').click();
  // After a text for screen readers, the facts and the tabs.
  const first = await page.locator('main [aria-busy=true] > :nth-child(4)').boundingBox();
  respond();
  await expect(articles(page).first()).toBeVisible();
  expect((await articles(page).first().boundingBox())!.y).toBe(first!.y);
  await expectAccessible(page);
});

test('on a phone the tabs of one’s own page are one line on each of them', async ({ page, ownWall }) => {
  await page.setViewportSize(phone);
  await signInNewPerson(page, ownWall, '/own/saved');
  for (const name of ['Записи', 'Ответы', 'Понравившиеся', 'Сохранённое']) {
    await tab(page, name).click();
    await expect(tab(page, name)).toHaveAttribute('aria-current', 'page');
    const [bar, link] = [await tab(page, name).locator('..').boundingBox(), await tab(page, name).boundingBox()];
    expect(bar!.height, name).toBeLessThan(1.5 * link!.height);
  }
});
