import type { Page } from '@playwright/test';
import { hydrated, openPage } from './support/app.ts';
import { bell, expectUnread, signInWithPost } from './support/notifications.ts';
import { longName } from './support/populated-wall.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson } from './support/writing.ts';

const column = 600;

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('the bottom bar has the navigation with labels, and the header of visitors has the theme switch', async ({
    page,
  }) => {
    await openPage(page, '/');
    await expect(page.getByRole('navigation', { name: 'Разделы' })).toBeHidden();
    const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
    await expect(bar.getByRole('link', { name: 'Лента' })).toHaveAttribute('aria-current', 'page');
    await expect(bar.getByRole('button', { name: 'Новая запись' })).toBeVisible();
    await expect(bar.getByRole('link', { name: 'Уведомления' })).toBeVisible();
    await expect(bar.getByRole('link', { name: 'Настройки' })).toBeVisible();
    for (const label of ['Лента', 'Новая запись', 'Уведомления', 'Настройки']) {
      const { width, height } = (await bar.locator('span', { hasText: label }).last().boundingBox())!;
      expect(width, label).toBeGreaterThan(24);
      expect(height, label).toBeGreaterThan(10);
    }
    await expect(page.getByRole('banner').getByRole('button', { name: 'Светлая тема' })).toBeVisible();

    await test.step('it hides while scrolling down and returns while scrolling up and with the focus', async () => {
      await expect(bar).toBeInViewport({ ratio: 1 });
      await page.mouse.move(200, 400);
      await page.mouse.wheel(0, 300);
      await expect(bar).not.toBeInViewport();
      await page.mouse.wheel(0, -100);
      await expect(bar).toBeInViewport({ ratio: 1 });
      await page.mouse.wheel(0, 300);
      await expect(bar).not.toBeInViewport();
      await page.evaluate(() => scrollTo(0, 0));
      await expect(bar).toBeInViewport({ ratio: 1 });
      await page.mouse.wheel(0, 300);
      await expect(bar).not.toBeInViewport();
      await bar.getByRole('link', { name: 'Лента' }).focus();
      await expect(bar).toBeInViewport({ ratio: 1 });
    });
  });

  test('every control of a page and of the dialog is large enough for touch', async ({ page, wall }) => {
    const posts = [wall.ids.nested, wall.ids.discussed].map((id) => `/posts/${id}`);
    for (const path of [...posts, `/users/${longName}`, '/search?q=дождь', '/search?q=ничего', '/']) {
      await openPage(page, path);
      expect(await smallControls(page), path).toEqual([]);
    }
    await page.getByRole('button', { name: 'Войти' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await smallControls(page), 'the dialog').toEqual([]);
  });
});

test('the rail: icons with labels below them on a tablet, labels on a desktop, where it stays', async ({ page }) => {
  const rail = page.getByRole('navigation', { name: 'Разделы' });
  await page.setViewportSize(tablet);
  await openPage(page, '/');
  await expect(page.getByRole('navigation', { name: 'Нижняя панель' })).toBeHidden();
  for (const name of ['Лента', 'Новая запись', 'Поиск', 'Уведомления', 'Светлая тема']) {
    const item = rail.getByRole(/Лента|Поиск|Уведомления/.test(name) ? 'link' : 'button', { name });
    const [box, icon] = [(await item.boundingBox())!, (await item.locator('svg:visible').boundingBox())!];
    expect(box.width, name).toBeGreaterThanOrEqual(44);
    // The label is below.
    expect(box.y + box.height - icon.y - icon.height, name).toBeGreaterThan(12);
  }
  for (const link of await rail.locator('p a').filter({ visible: true }).all()) {
    const lines = await link.evaluate((it) => {
      const range = document.createRange();
      range.selectNodeContents(it);
      return range.getClientRects().length;
    });
    // No word is broken.
    expect(lines).toBeLessThanOrEqual((await link.innerText()).split(/\s/).length);
  }
  await expectColumn(page);

  await page.setViewportSize(desk);
  for (const label of ['Лента', 'Новая запись', 'Поиск', 'Уведомления', 'Светлая тема']) {
    const { width } = (await rail.getByText(label, { exact: true }).boundingBox())!;
    expect(width, label).toBeGreaterThan(40);
  }
  await expectColumn(page);
  await page.evaluate(() => scrollTo(0, 900));
  await expect(rail.getByRole('link', { name: 'Лента' })).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Войти' })).toBeInViewport();
});

test('nothing is wider than the window', async ({ page, wall }) => {
  const { longWord, full, reply } = wall.ids;
  const paths = [
    '/',
    ...[longWord, full, reply].map((id) => `/posts/${id}`),
    `/users/${longName}`,
    `/users/${longName}/replies`,
    '/search?q=example',
    `/search?q=${'ж'.repeat(199)}`,
  ];
  for (const path of paths) {
    await openPage(page, path);
    for (const width of [phone.width, 756, 757, 1059, 1060]) {
      await page.setViewportSize({ width, height: 700 });
      const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await expect.poll(beyond, `${path}, ${width} px`).toBeLessThanOrEqual(0);
      const cut = () =>
        page
          .getByRole('article')
          .evaluateAll((cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).length);
      await expect.poll(cut, `${path}, ${width} px`).toBe(0);
    }
  }
});

test('visitors sign in to see notifications and settings, and by one button for own pages', async ({ page, wall }) => {
  await page.setViewportSize(phone);
  await page.goto('/');
  await hydrated(page);
  for (const name of ['Уведомления', 'Настройки']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expect(page.getByRole('dialog', { name: 'Войти' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(`${wall.url}/`);
  }
  await openPage(page, '/liked');
  await expect(page.getByRole('main').getByRole('button', { name: 'Войти' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Войти' })).toHaveCount(1);
});

test('signed-in people find everything in the bars, once, and the number of unread notifications in one line', async ({
  page,
  ownWall,
}) => {
  const { me, reply } = await signInWithPost(page, ownWall);
  const toSettings = page.locator('a[href="/settings"]:visible');
  const toNotifications = page.locator('a[href="/notifications"]:visible');
  const toSearch = page.locator('a[href="/search"]:visible');
  const theme = page.getByRole('button', { name: 'Светлая тема' });
  await expect(toSettings).toHaveText(me.name);
  await expect(toSearch).toHaveText('Поиск');
  await page.setViewportSize(phone);
  await expect(page.getByRole('banner').getByRole('link')).toHaveAccessibleName('Поиск');
  await expect(toSearch).toHaveCount(1);
  await expect(toSettings).toHaveText('Настройки');
  await expect(toNotifications).toHaveText('Уведомления');
  await expect(theme).toHaveCount(0);
  await toSettings.click();
  await expect(theme).toHaveCount(1);
  await theme.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');

  await reply(...Array.from({ length: 11 }, (_, index) => `Ответ ${index}`));
  await openPage(page, ownWall.url);
  await expectUnread(page, 11);
  const height = await bell(page)
    .locator('[data-count]')
    .evaluate((number) => getComputedStyle(number, '::before').height);
  expect(height).toBe('20px');
});

test('no bar is pinned in a small window', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto('/');
  await hydrated(page);
  await expect(page.getByRole('navigation', { name: 'Нижняя панель' })).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 400));
  await page.evaluate(() => scrollBy(0, -40));
  await expect(page.getByRole('navigation', { name: 'Нижняя панель' })).not.toBeInViewport();
  await expect(page.getByRole('banner')).not.toBeInViewport();
});

test('on a phone with text at 200 % the header has room for its title', async ({ page, ownWall }) => {
  await page.setViewportSize(phone);
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 32 } });
  const header = page.getByRole('banner');
  await openPage(page, ownWall.url);
  for (const reader of ['visitor', 'member']) {
    if (reader === 'member') await signInNewPerson(page, ownWall);
    const title = (await header.getByRole('heading', { level: 1 }).boundingBox())!;
    expect(title.width, reader).toBeGreaterThan(100);
    await header.getByRole('combobox', { name: 'Лента' }).click({ trial: true });
  }
});

test('the longest name is whole on a desktop and leaves space for the title of a list', async ({ page, ownWall }) => {
  const id = await ownWall.seed.person(longName);
  await page.setViewportSize(desk);
  await restoreSession(page, ownWall, { id, name: longName }, `/users/${longName}`);
  await expect(page.getByRole('banner').getByRole('link')).toBeVisible();
  const title = page.getByRole('heading', { level: 1 });
  const cut = () => title.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(await cut()).toBe(0);
  await openPage(page, `${ownWall.url}/liked`);
  await expect(title).toHaveText('Понравившиеся');
  for (const viewport of [phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    expect(await cut(), `${viewport.width} px`).toBe(0);
  }
});

test('a post of one line takes little room', async ({ page, ownWall }) => {
  await ownWall.seed.posts([{ by: await ownWall.seed.person('anna_k'), text: 'Первый снег' }]);
  await page.setViewportSize(phone);
  await page.goto(ownWall.url);
  const card = page.getByRole('article');
  expect((await card.boundingBox())!.height).toBeLessThan(100);
  await hydrated(page);
  expect(await smallControls(page)).toEqual([]);
});

async function expectColumn(page: Page): Promise<void> {
  const { width } = (await page.getByRole('main').boundingBox())!;
  expect(width).toBe(column);
}

/** Links in a text are exempt: they are as high as its lines. The browser may report 43.99997 px for 44. */
function smallControls(page: Page): Promise<string[]> {
  return page.locator('a, button').evaluateAll((controls) =>
    controls
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('[dir=auto]'))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => Math.min(box.width, box.height) < 43.99)
      .map(({ control, box }) => `${control.textContent} ${box.width}×${box.height}`),
  );
}
