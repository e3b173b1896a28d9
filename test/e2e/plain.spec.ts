import type { Page } from '@playwright/test';
import { plainPaths } from '../kit/plain/pages.ts';
import { expectAccessible } from './support/accessible.ts';
import { openPage } from './support/app.ts';
import { desk, phone } from './support/screens.ts';
import { openPlain } from './support/plain.ts';
import { newPerson } from './support/sign-in.ts';
import type { Wall } from './support/wall.ts';
import { expect, test } from './support/test.ts';

const plain = (page: Page) => page.locator('.plain');

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the buttons of a card lead to pages that do the same', async ({ page, context, ownWall }) => {
    const { other } = await openPlain(context, ownWall);
    await page.goto(ownWall.url);
    const card = page.getByRole('article').filter({ hasText: 'Чужая запись' });
    await card.getByRole('button', { name: 'Нравится' }).click();
    await expect(page).toHaveURL(`${ownWall.url}/posts/${other}/actions?`);
    await plain(page).getByRole('button', { name: 'Нравится', exact: true }).click();
    await expect(plain(page).getByText('Отмечено')).toBeVisible();
    await page.goto(ownWall.url);
    await card.getByRole('button', { name: 'Ответить' }).click();
    await plain(page).getByLabel('Текст ответа').fill('Отвечаю');
    await plain(page).getByRole('button', { name: 'Опубликовать' }).click();
    await expect(page.getByRole('heading', { name: 'Запись' })).toBeVisible();
    // Nothing was sent that Back would send again.
    await page.goBack();
    await expect(plain(page).getByLabel('Текст ответа')).toBeVisible();
  });
});

test('plain pages are accessible and fit a narrow window', async ({ page, context, ownWall }) => {
  // Axe needs scripts; the app does not start.
  await page.route('**/assets/*.js', () => {});
  await page.clock.install();
  const ownerLink = `/owner/${await ownWall.seed.ownerCode()}`;
  await expectPlain(page, ownWall, [ownerLink]);
  const invitation = `/join/${await ownWall.seed.invitation(await newPerson(ownWall))}`;
  await expectPlain(page, ownWall, [invitation]);
  const person = await openPlain(context, ownWall);
  const { code } = await ownWall.seed.imported('boris_schukin');
  await expectPlain(page, ownWall, [...plainPaths(person), '/settings/data', '/sign-in', `/claim/${code}`, invitation]);
});

async function expectPlain(page: Page, wall: Wall, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(wall.url + path, { waitUntil: 'commit' });
    await page.waitForSelector('.plain h1', { state: 'attached' });
    await page.clock.runFor(9_000);
    await expect(plain(page), path).toBeVisible();
    await expectAccessible(page);
    for (const viewport of [phone, desk]) {
      await page.setViewportSize(viewport);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, path).toBeLessThanOrEqual(0);
    }
    const small = await plain(page)
      .locator('button, input:not([type=hidden]), nav a')
      .evaluateAll((all) =>
        all
          .filter((one) => (one.closest('label') ?? one).getBoundingClientRect().height < 39)
          .map(({ outerHTML }) => outerHTML),
      );
    expect(small, path).toEqual([]);
  }
}

const faults: Record<string, (page: Page) => Promise<unknown>> = {
  'is cut at 16 kB': (page) =>
    page.route('**/assets/main-*.js', async (route) => {
      const response = await route.fetch();
      const body = (await response.body()).subarray(0, 16_384);
      await route.fulfill({ contentType: 'text/javascript', body });
    }),
  'has a syntax that the browser does not know': (page) =>
    page.route('**/assets/main-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: 'let @ = 1;' })),
  'breaks in its first line': (page) =>
    page.route('**/assets/main-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("old engine")' }),
    ),
};

test('a script that is broken leaves working links and forms', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.tolerate(/uncaught|SyntaxError|ERR_/);
  const { other } = await openPlain(context, ownWall);
  for (const [what, fault] of Object.entries(faults)) {
    await test.step(`a script that ${what}`, async () => {
      await fault(page);
      await page.goto(`${ownWall.url}/notifications`);
      await expect(plain(page).getByText('Спасибо за запись')).toBeVisible();
      await page.goto(ownWall.url);
      await expect(page.getByText('Страница загрузилась не полностью')).toBeVisible();
      const card = page.getByRole('article').filter({ hasText: 'Чужая запись' });
      await card.getByRole('button', { name: 'Действия с записью' }).click();
      await expect(page).toHaveURL(new RegExp(`/posts/${other}/actions`));
      await plain(page).getByRole('button', { name: 'Нравится', exact: true }).click();
      await expect(plain(page).getByText('Отмечено')).toBeVisible();
      await plain(page)
        .getByRole('button', { name: /^Снять\sотметку/ })
        .click();
      await expect(plain(page).getByText('Отметка снята')).toBeVisible();
      await page.unrouteAll();
    });
  }
});

test('a script that never arrives leaves working links and forms', async ({ page, context, ownWall }) => {
  const { other } = await openPlain(context, ownWall);
  await page.route('**/assets/main-*.js', () => {});
  await page.clock.install();
  await page.goto(`${ownWall.url}/notifications`, { waitUntil: 'commit' });
  await expect(page.getByText('Загрузка').first()).toBeAttached();
  await expect(plain(page)).toBeHidden();
  await page.clock.runFor(8_000);
  await expect(plain(page).getByText('Спасибо за запись')).toBeVisible();
  await page.goto(ownWall.url, { waitUntil: 'commit' });
  const card = page.getByRole('article').filter({ hasText: 'Чужая запись' });
  await card.getByRole('button', { name: 'Ответить' }).click();
  await page.clock.runFor(4_000);
  await expect(page).toHaveURL(new RegExp(`/posts/${other}/reply`));
});

test('with scripts the plain page is never seen, and nothing else is requested', async ({ page, context, ownWall }) => {
  const { own } = await openPlain(context, ownWall);
  await page.addInitScript(() => localStorage.setItem('signed-in', '2026-01-01'));
  const pages: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) pages.push(new URL(request.url()).pathname);
  });
  await page.addInitScript(() => {
    const look = () => {
      const found = document.querySelector('.plain');
      if (found?.checkVisibility()) throw new Error('A plain page is visible');
      requestAnimationFrame(look);
    };
    look();
  });
  await openPage(page, `${ownWall.url}/own/posts`);
  await expect(page.getByRole('article').filter({ hasText: 'Своя запись' })).toBeVisible();
  await expect(plain(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Действия с записью' }).first().click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Ответить' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(pages).toEqual(['/own/posts']);
  expect(own).toBeGreaterThan(0);
});

test('a sign-in without scripts holds when scripts are back', async ({ browser, ownWall, mail }) => {
  const person = await newPerson(ownWall);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const first = await context.newPage();
  await first.goto(`${ownWall.url}/sign-in`);
  await first.getByLabel('Электронная почта').fill(person.email);
  await first.getByRole('button', { name: 'Получить код' }).click();
  await first.getByLabel('Код из письма').fill(await mail.codeTo(person.email));
  await first.getByRole('button', { name: 'Продолжить' }).click();
  await expect(first).toHaveURL(`${ownWall.url}/`);
  const again = await browser.newContext({ storageState: await context.storageState() });
  const page = await again.newPage();
  await openPage(page, ownWall.url);
  await expect(page.getByRole('banner').getByText(person.name)).toBeVisible();
  await context.close();
  await again.close();
});
