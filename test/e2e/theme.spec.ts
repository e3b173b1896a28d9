import type { Page } from '@playwright/test';
import { openPage, reloadPage } from './support/app.ts';
import { expect, test } from './support/test.ts';

declare global {
  interface Window {
    themeOfFirstBody: string | undefined;
  }
}

const ground = { dark: 'rgb(26, 22, 20)', light: 'rgb(249, 246, 241)' };

test.use({ colorScheme: 'light' });

test('dark is the default, and a choice applies at once, after a reload before the first paint', async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      window.themeOfFirstBody = document.documentElement.dataset['theme'];
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await openPage(page, '/');
  // Whatever the system prefers.
  await expectTheme(page, 'dark');
  for (const [name, theme] of [
    ['Светлая тема', 'light'],
    ['Тёмная тема', 'dark'],
  ] as const) {
    await page.getByRole('button', { name }).click();
    await expectTheme(page, theme);
    await reloadPage(page);
    expect(await page.evaluate(() => window.themeOfFirstBody)).toBe(theme);
    await expectTheme(page, theme);
  }
});

test('another tab follows, and so does a page from the back-forward cache', async ({ page, context, wall }) => {
  await openPage(page, '/');
  const other = await context.newPage();
  await openPage(other, `${wall.url}/posts/${wall.ids.discussed}`);
  await page.getByRole('button', { name: 'Светлая тема' }).click();
  await expectTheme(other, 'light');
  await other.getByRole('button', { name: 'Тёмная тема' }).click();
  await expectTheme(page, 'dark');

  await other.close();
  await page.evaluate(() => {
    localStorage.setItem('theme', 'light');
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expectTheme(page, 'light');
});

test('with all cookies blocked pages are read, and the choice lasts for the visit', async ({ page }) => {
  // Firefox denies storage in this way when all cookies are blocked.
  await page.addInitScript(() => {
    function deny() {
      throw new DOMException('denied', 'SecurityError');
    }
    for (const area of ['localStorage', 'sessionStorage']) Object.defineProperty(window, area, { get: deny });
    Object.defineProperty(window, 'BroadcastChannel', { value: deny });
  });
  await openPage(page, '/');
  await page.getByRole('button', { name: 'Светлая тема' }).click();
  await expectTheme(page, 'light');
  await page.getByRole('link', { name: 'boris_petrov' }).first().click();
  await expect(page).toHaveTitle('boris_petrov - Стена');
  await expectTheme(page, 'light');
});

async function expectTheme(page: Page, theme: keyof typeof ground): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await expect(page.locator('body')).toHaveCSS('background-color', ground[theme]);
  const browserColor = await page.locator('meta[name=theme-color]').getAttribute('content');
  const painted = await page.evaluate((color) => {
    const probe = document.createElement('i');
    probe.style.color = color;
    return document.body.appendChild(probe) && getComputedStyle(probe).color;
  }, browserColor!);
  expect(painted).toBe(ground[theme]);
}
