import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { layoutIsStable } from './support/feed.ts';
import { addPosts, hide, line, passHour, postBelowLine, toLine, watchWrites } from './support/reading.ts';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const path = '/api/v1/users/current/reading';

const written = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith(path) && response.request().method() === 'PUT');

test('another device knows the place within two seconds', async ({ page, browser, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await addPosts(ownWall, by, 1, 20);
  const person = await newPerson(ownWall);
  const context = await browser.newContext({ locale: 'ru-RU' });
  const other = await context.newPage();
  const known = written(other);
  await restoreSession(other, ownWall, person);
  await known;
  await other.getByRole('link', { name: 'galina_m' }).first().click();
  await expect(other.getByText('Записи', { exact: true }).first()).toBeVisible();

  const ids = await addPosts(ownWall, by, 21, 25);
  const write = written(page);
  await restoreSession(page, ownWall, person);
  expect(await (await write).json()).toEqual({ post_id: String(ids.get(25)) });
  await other.waitForTimeout(2_000);
  const asked: string[] = [];
  other.on('request', (request) => {
    if (request.url().includes(path)) asked.push(request.method());
  });
  await addPosts(ownWall, by, 26, 28);
  await passHour(other);
  await other.getByRole('link', { name: 'Лента' }).click();
  await expect(line(other)).toHaveCount(1);
  expect(await postBelowLine(other)).toBe('Запись 25');
  expect(asked).not.toContain('GET');
  await context.close();
});

test('the place is written at once, then not again within ten seconds unless the page is hidden', async ({
  page,
  ownWall,
}) => {
  const by = await ownWall.seed.person('galina_m');
  const ids = await addPosts(ownWall, by, 1, 20);
  await page.clock.install();
  const writes = await watchWrites(page);
  await restoreSession(page, ownWall, await newPerson(ownWall));
  await expect.poll(() => writes).toEqual([`feed ${ids.get(20)} keepalive`]);
  const news = await addPosts(ownWall, by, 21, 22);
  await page.getByRole('button', { name: /^Показать\sновые/ }).click();
  await expect(page.locator('article[aria-posinset="1"]')).toContainText('Запись 22');
  await layoutIsStable(page);
  await page.clock.runFor(3_000);
  expect(writes).toHaveLength(1);
  await hide(page, true);
  await expect.poll(() => writes.slice(1)).toEqual([`feed ${news.get(22)} keepalive`]);
  await hide(page, false);
  await hide(page, true);
  await page.clock.runFor(1_000);
  expect(writes).toHaveLength(2);
});

test('a post seen for less than a second, or in a hidden tab, is not read', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await addPosts(ownWall, by, 1, 20);
  await page.clock.install();
  const writes = await watchWrites(page);
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }));
  await restoreSession(page, ownWall, await newPerson(ownWall));
  await page.clock.pauseAt(Date.now() + 60_000);
  expect(writes).toEqual([]);
  await hide(page, false);
  // The page looks at the window after a quarter of a second.
  await page.clock.runFor(1_100);
  await hide(page, true);
  await page.clock.runFor(1_500);
  expect(writes).toEqual([]);
  await hide(page, false);
  await page.clock.runFor(1_500);
  await expect.poll(() => writes).toHaveLength(1);
});

test('a person who signs in has the place of the server, not that of the browser', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await addPosts(ownWall, by, 1, 5);
  const person = await newPerson(ownWall);
  const known = written(page);
  await restoreSession(page, ownWall, person);
  await known;
  const ids = await addPosts(ownWall, by, 6, 9);
  await passHour(page);
  await page.evaluate((id) => localStorage.setItem('reading', JSON.stringify([['feed', id]])), String(ids.get(8)));
  await openPage(page, ownWall.url);
  await expect(line(page)).toHaveCount(1);
  expect(await postBelowLine(page)).toBe('Запись 5');
  await expect(toLine(page)).toHaveCount(0);
});
