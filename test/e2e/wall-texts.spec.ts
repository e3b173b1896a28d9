import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleIn } from './support/accessible.ts';
import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';

const names = { about: 'О стене', rules: 'Правила', privacy: 'Конфиденциальность' };

const mainHeading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });

test('the texts of the wall read well in both themes', async ({ page }) => {
  await watchShift(page);
  for (const [path, title] of Object.entries(names)) {
    await test.step(`/${path}`, async () => {
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
    });
  }
});

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

test('a script that got in can make no HTML of a string', async ({ page, pageErrors }) => {
  pageErrors.expect(/TrustedHTML/);
  pageErrors.expect(/trusted-types|Trusted Type/i);
  await openPage(page, '/');
  const outcomes = await page.evaluate(() => {
    const { trustedTypes } = window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } };
    const tries = [
      () => (document.querySelector('main')!.innerHTML = '<b>чужое</b>'),
      () => trustedTypes.createPolicy('own', { createHTML: (html: string) => html }),
    ];
    return tries.map((attempt) => {
      try {
        attempt();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(outcomes).toEqual(['TypeError', 'TypeError']);
});
