import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { longName } from './support/populated-wall.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const column = 600;

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('the bottom bar has the navigation, and the header has the theme switch', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Разделы' })).toBeHidden();
    const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
    await expect(bar.getByRole('link', { name: 'Лента' })).toHaveAttribute('aria-current', 'page');
    await expect(bar.getByRole('button', { name: 'Новая запись' })).toBeVisible();
    await expect(bar.getByRole('link', { name: 'Настройки' })).toBeVisible();
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

  for (const screen of ['/', '/posts/nested', '/posts/discussed', `/users/${longName}`]) {
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

  test('an icon rail is beside the column', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Нижняя панель' })).toBeHidden();
    const rail = page.getByRole('navigation', { name: 'Разделы' });
    for (const role of ['link', 'button'] as const) {
      for (const item of await rail.getByRole(role).all()) {
        const { width, height } = (await item.boundingBox())!;
        expect(width).toBe(height);
      }
    }
    await expectColumn(page);
  });
});

test.describe('on a desktop', () => {
  test.use({ viewport: desk });

  test('the rail has labels and stays during scrolling', async ({ page }) => {
    await openPage(page, '/');
    const rail = page.getByRole('navigation', { name: 'Разделы' });
    for (const label of ['Стена', 'Лента', 'Новая запись', 'Светлая тема']) {
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
