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
    await page.goto('/');
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
  });

  test('the bottom bar hides while scrolling down and returns while scrolling up', async ({ page }) => {
    await openPage(page, '/');
    const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
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
  });

  test('keyboard focus in the bottom bar shows the bar', async ({ page }) => {
    await openPage(page, '/');
    await page.mouse.move(200, 400);
    await page.mouse.wheel(0, 300);
    const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
    await expect(bar).not.toBeInViewport();
    await bar.getByRole('link', { name: 'Лента' }).focus();
    await expect(bar).toBeInViewport({ ratio: 1 });
  });

  for (const screen of [
    '/',
    '/posts/nested',
    '/posts/discussed',
    `/users/${longName}`,
    '/search?q=дождь',
    '/search?q=ничего',
  ]) {
    test(`every control of ${screen} is large enough for touch`, async ({ page, wall }) => {
      await openPage(
        page,
        screen.replace(/nested|discussed/, (post) => String(wall.ids[post as 'nested' | 'discussed'])),
      );
      expect(await smallControls(page)).toEqual([]);
    });
  }

  test('every control of the dialog is large enough for touch', async ({ page }) => {
    await openPage(page, '/');
    await page.getByRole('button', { name: 'Войти' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await smallControls(page)).toEqual([]);
  });
});

test.describe('on a tablet', () => {
  test.use({ viewport: tablet });

  test('a rail of icons with labels is beside the column', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Нижняя панель' })).toBeHidden();
    const rail = page.getByRole('navigation', { name: 'Разделы' });
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
  });
});

test.describe('on a desktop', () => {
  test.use({ viewport: desk });

  test('the rail has labels and stays during scrolling', async ({ page }) => {
    await openPage(page, '/');
    const rail = page.getByRole('navigation', { name: 'Разделы' });
    for (const label of ['Лента', 'Новая запись', 'Поиск', 'Уведомления', 'Светлая тема']) {
      const { width } = (await rail.getByText(label, { exact: true }).boundingBox())!;
      expect(width, label).toBeGreaterThan(40);
    }
    await expectColumn(page);
    await page.evaluate(() => scrollTo(0, 900));
    await expect(rail.getByRole('link', { name: 'Лента' })).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Войти' })).toBeInViewport();
  });
});

for (const width of [phone.width, 756, 757, 1059, 1060]) {
  test(`nothing is wider than a window of ${width} px`, async ({ page, wall }) => {
    await page.setViewportSize({ width, height: 700 });
    const paths = [
      '/',
      `/posts/${wall.ids.longWord}`,
      `/posts/${wall.ids.full}`,
      `/posts/${wall.ids.reply}`,
      `/users/${longName}`,
      `/users/${longName}/replies`,
      '/search?q=example',
      `/search?q=${'ж'.repeat(199)}`,
    ];
    for (const path of paths) {
      await openPage(page, path);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond, path).toBeLessThanOrEqual(0);
      const cut = await page
        .getByRole('article')
        .evaluateAll((cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).length);
      expect(cut, path).toBe(0);
    }
  });
}

test('visitors sign in to see notifications and settings', async ({ page, wall }) => {
  await page.setViewportSize(phone);
  await page.goto('/');
  await hydrated(page);
  for (const name of ['Уведомления', 'Настройки']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expect(page.getByRole('dialog', { name: 'Войти' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(`${wall.url}/`);
  }
});

test('signed-in people find everything in the bars, once', async ({ page, ownWall }) => {
  const { name } = await signInNewPerson(page, ownWall);
  const toSettings = page.locator('a[href="/settings"]:visible');
  const toNotifications = page.locator('a[href="/notifications"]:visible');
  const toSearch = page.locator('a[href="/search"]:visible');
  const theme = page.getByRole('button', { name: 'Светлая тема' });
  await expect(toSettings).toHaveText(name);
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

test('a page that asks to sign in has one button for it', async ({ page }) => {
  await page.goto('/liked');
  await hydrated(page);
  await expect(page.getByRole('main').getByRole('button', { name: 'Войти' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Войти' })).toHaveCount(1);
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

test('the number of unread notifications is one line', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply(...Array.from({ length: 11 }, (_, index) => `Ответ ${index}`));
  await page.setViewportSize(phone);
  await openPage(page, ownWall.url);
  await expectUnread(page, 11);
  const height = await bell(page)
    .locator('[data-count]')
    .evaluate((number) => getComputedStyle(number, '::before').height);
  expect(height).toBe('20px');
});

test('a desktop shows the longest name whole', async ({ page, ownWall }) => {
  const id = await ownWall.seed.person(longName);
  await page.setViewportSize(desk);
  await restoreSession(page, ownWall, { id, name: longName }, `/users/${longName}`);
  await expect(page.getByRole('banner').getByRole('link')).toBeVisible();
  const title = page.getByRole('heading', { level: 1 });
  expect(await title.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
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

/** Links in a text are exempt: they are as high as its lines. */
function smallControls(page: Page): Promise<string[]> {
  return page.locator('a, button').evaluateAll((controls) =>
    controls
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('[dir=auto]'))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ control, box }) => `${control.textContent} ${box.width}×${box.height}`),
  );
}
