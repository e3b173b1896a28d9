import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleIn } from './support/accessible.ts';
import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { newPerson, openDialog, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { choose } from './support/writing.ts';

const names = { about: 'О стене', rules: 'Правила', privacy: 'Конфиденциальность' };

/** The three links in a part of the page. */
async function expectLinks(place: Locator, target?: string): Promise<void> {
  for (const [path, name] of Object.entries(names)) {
    const link = place.getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('href', `/${path}`);
    if (target !== undefined) await expect(link).toHaveAttribute('target', target);
  }
}

const mainHeading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });

for (const [path, title] of Object.entries(names)) {
  test(`/${path} reads well in both themes and needs no script`, async ({ page, browser, wall }) => {
    await watchShift(page);
    await openPage(page, `/${path}`);
    await expect(page).toHaveTitle(`${title} - Стена`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expectNoShift(page);
    await expectAccessible(page);
    for (const viewport of [phone, tablet, desk]) {
      await page.setViewportSize(viewport);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const unscripted = await plain.newPage();
    await unscripted.goto(`${wall.url}/${path}`);
    await expect(mainHeading(unscripted, title)).toBeVisible();
    await expectLinks(unscripted.getByRole('main'));
    await plain.close();
  });
}

test('/api reads well in both themes, leads to each call and needs no script', async ({ page, browser, wall }) => {
  // The page is long, and axe looks at each of its elements.
  test.slow();
  await page.setViewportSize(phone);
  await openPage(page, '/about');
  await page.getByRole('main').getByRole('link', { name: 'API' }).click();
  await expect(mainHeading(page, 'API')).toBeVisible();
  await markDocument(page);
  await page.getByRole('navigation', { name: 'Содержание' }).getByRole('link', { name: 'Опубликовать запись' }).click();
  await expect(page).toHaveURL(/\/api#createPost$/);
  await expectSameDocument(page);
  const heading = page.getByRole('heading', { level: 3, name: 'Опубликовать запись' });
  await expect(heading).toBeInViewport({ ratio: 1 });
  expect((await heading.boundingBox())!.y).toBeGreaterThanOrEqual((await page.locator('header').boundingBox())!.height);
  await expectAccessibleIn(page, 'dark', phone);
  await expectAccessibleIn(page, 'light', desk);
  for (const viewport of [desk, tablet, phone]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const unscripted = await plain.newPage();
  await unscripted.goto(`${wall.url}/api#createPost`);
  await expect(unscripted.getByRole('heading', { level: 3, name: 'Опубликовать запись' })).toBeInViewport();
  await expect(unscripted.getByText(`curl '${wall.url}/api/v1/posts'`).first()).toBeVisible();
  await plain.close();
});

test('the rail, the dialogs and the settings lead to them, also on a phone', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts([{ by, text: 'Первая' }]);
  await page.setViewportSize(desk);
  await openPage(page, ownWall.url);
  const rail = page.getByRole('navigation', { name: 'Разделы' });
  await expectLinks(rail);
  await markDocument(page);
  await rail.getByRole('link', { name: 'Правила' }).click();
  await expect(mainHeading(page, 'Правила')).toBeVisible();
  await expectSameDocument(page);
  await page.getByRole('main').getByRole('link', { name: 'Конфиденциальность' }).click();
  await expect(page).toHaveURL(/\/privacy$/);
  await expect(mainHeading(page, 'Конфиденциальность')).toBeVisible();

  await page.setViewportSize(phone);
  await openDialog(page, ownWall.url);
  await expectLinks(page.getByRole('dialog'), '_blank');

  await restoreSession(page, ownWall, await newPerson(ownWall), '/settings');
  await expectLinks(page.getByRole('main'));
  await openPage(page, ownWall.url);
  await choose(page, 'Первая', 'Пожаловаться');
  await expect(page.getByRole('dialog').getByRole('radio').first()).toBeVisible();
  await expectLinks(page.getByRole('dialog'), '_blank');
});

test.describe('a text of the operator', () => {
  let folder: string;
  test.beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'pages-'))));
  test.afterEach(() => rm(folder, { recursive: true }));

  test('is shown with all its parts, after an edit without a restart', async ({ page, ownWall, pageErrors }) => {
    pageErrors.expect(/404/);
    await writeFile(join(folder, 'rules.md'), '# Устав двора');
    await ownWall.restart({ PAGES_DIR: folder });
    await openPage(page, `${ownWall.url}/rules`);
    await expect(mainHeading(page, 'Устав двора')).toBeVisible();
    const text = [
      '# Устав двора',
      'Вступление с *курсивом*, **важным** и `кодом`.',
      '## Раздел\n\n1. раз\n2. два\n\n- список\n  - внутри',
      '> Цитата',
      '```\nдлинная строка '.concat('x'.repeat(200), '\n```'),
      '| Что | Сколько |\n| --- | --- |\n| Данные | пока не удалите |',
      '---',
      'Очень'.repeat(60),
    ].join('\n\n');
    await writeFile(join(folder, 'rules.md'), text);
    await expect(async () => {
      await openPage(page, `${ownWall.url}/rules`);
      await expect(page.getByRole('heading', { level: 2, name: 'Раздел' })).toBeVisible({ timeout: 100 });
    }).toPass();
    await expectAccessible(page);
    await page.setViewportSize(phone);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('Вступление')).toBeVisible();
    await expect(page.getByRole('link', { name: 'О стене' })).toHaveCount(0);
    await page.emulateMedia({ media: 'screen' });
    await openPage(page, `${ownWall.url}/consent`);
    await expect(page.getByRole('main')).toContainText('Страница не существует');
  });
});

test('a text that fails to load says so and can be loaded again', async ({ page, pageErrors }) => {
  pageErrors.expect(/Failed to load|500/);
  await openPage(page, '/');
  await page.setViewportSize(desk);
  await page.route('**/documents/rules', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('link', { name: 'Правила' }).click();
  await expect(page.getByRole('main')).toContainText('Что-то пошло не так');
  await page.unroute('**/documents/rules');
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(mainHeading(page, 'Правила')).toBeVisible();
});
