import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { hydrated, openPage, reloadPage } from './support/app.ts';
import { phone } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { newPerson, restoreSession, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const line = (page: Page) => page.getByText('лента коротких записей');
const close = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Закрыть' });

test('a first-time visitor sees what this is, can close it for good, and later paints are without it', async ({
  page,
  wall,
}) => {
  await watchShift(page);
  await page.setViewportSize(phone);
  await openPage(page, '/');
  await expect(line(page)).toBeVisible();
  await expectNoShift(page);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  const box = await close(page).boundingBox();
  expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(44);
  await page.getByRole('link', { name: 'Подробнее' }).click();
  await expect(page).toHaveURL(`${wall.url}/about`);
  await page.goBack();
  await close(page).press('Enter');
  await expect(line(page)).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  await page.goto(`/posts/${wall.ids.discussed}`);
  await page.getByRole('link', { name: 'Лента' }).first().click();
  await expect(page.getByRole('feed')).toBeVisible();
  await expect(line(page)).toBeHidden();

  // It is hidden before the first paint, without a shift, in the same HTML.
  await page.route(/\/assets\//, () => {});
  await page.goto('/', { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  await expect(line(page)).toBeHidden();
  await page.unroute(/\/assets\//);
  await reloadPage(page);
  await expectNoShift(page);
  const html = await (await page.request.get(wall.url)).text();
  expect(html).toContain('лента коротких записей');
});

test('people who have signed in do not see it, also after they have left', async ({ page, ownWall }) => {
  await restoreSession(page, ownWall, await newPerson(ownWall));
  await expect(line(page)).toBeHidden();
  await signOut(page);
  await page.goto(ownWall.url);
  await hydrated(page);
  await expect(line(page)).toBeHidden();
});
