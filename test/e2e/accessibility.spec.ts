import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { hydrated, openPage } from './support/app.ts';
import { contrastOf, ownContrast } from './support/contrast.ts';
import { scrollToPost } from './support/feed.ts';
import { longName } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test('the feed, a post with its replies, a reply, one to a deleted post, and an author', async ({ page, wall }) => {
  const { discussed, nested, orphan } = wall.ids;
  for (const path of ['/', ...[discussed, nested, orphan].map((id) => `/posts/${id}`), `/users/${longName}`])
    await test.step(path, () => expectAccessibleAt(page, path));
});

test('a missing post', async ({ page, pageErrors }) => {
  pageErrors.expect(/404/);
  await expectAccessibleAt(page, '/posts/999999');
});

test('an empty wall', async ({ page, ownWall }) => {
  await expectAccessibleAt(page, ownWall.url);
});

test('the sign-in dialog', async ({ page }) => {
  await expectAccessibleAt(page, '/', async () => {
    await page.getByRole('button', { name: 'Войти' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test('a button that cannot be pressed yet is readable', async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  await page.getByRole('button', { name: 'Войти' }).click();
  const button = page.getByRole('button', { name: 'Получить код' });
  await expect(button).toBeDisabled();
  for (const theme of ['dark', 'light']) {
    await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
    await expect.poll(() => ownContrast(button), theme).toBeGreaterThanOrEqual(4.5);
  }
});

test('the list of keyboard shortcuts', async ({ page }) => {
  await expectAccessibleAt(page, '/', async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test('the feed after fifty pages of scrolling', async ({ page }) => {
  await expectAccessibleAt(page, '/', () => scrollToPost(page, 30));
});

test('a failure', async ({ page, pageErrors }) => {
  pageErrors.expect(/500/);
  await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 500, json: {} }));
  await expectAccessibleAt(page, '/', async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

test('prefers-reduced-motion turns animations off', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.route('**/api/v1/posts?*', () => {});
  await openPage(page, '/');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole('feed')).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  const longest = await page.evaluate(() => {
    const seconds = [...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
      return [transitionDuration, animationName === 'none' ? '0s' : animationDuration].flatMap((list) =>
        list.split(','),
      );
    });
    return Math.max(...seconds.map(Number.parseFloat));
  });
  expect(longest).toBeLessThanOrEqual(0.01);
});

test('forced colours: every state that colour shows has another sign', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openPage(page, '/');
  const edged = ['a[href="#main"]', 'nav button', 'header button:text("Войти")', 'article'];
  for (const edge of edged) {
    const { color, width } = await page
      .locator(edge)
      .first()
      .evaluate((element) => {
        const { borderBlockEndColor, borderBlockEndWidth } = getComputedStyle(element);
        return { color: borderBlockEndColor, width: Number.parseFloat(borderBlockEndWidth) };
      });
    expect(width, edge).toBeGreaterThan(0);
    expect(color, edge).not.toContain('rgba(0, 0, 0, 0)');
  }
  await page.keyboard.press('j');
  await expect(page.getByRole('article').first()).toHaveCSS('outline-style', 'solid');
});

for (const theme of ['dark', 'light']) {
  test(`prefers-contrast: more raises the contrast, ${theme}`, async ({ page }) => {
    await page.addInitScript((theme) => location.host && localStorage.setItem('theme', theme), theme);
    await openPage(page, '/');
    const colors = ['--ink-quiet', '--line', '--line-strong', '--line-field'];
    const usual = await contrastOf(page, colors);
    await page.emulateMedia({ contrast: 'more' });
    const more = await contrastOf(page, colors);
    for (const [index, contrast] of more.entries()) expect(contrast).toBeGreaterThan(usual[index]!);
    expect(more[0]).toBeGreaterThanOrEqual(7);
    expect(Math.min(...more)).toBeGreaterThanOrEqual(3);
  });
}

async function expectAccessibleAt(page: Page, path: string, prepare = async () => {}): Promise<void> {
  await openPage(page, path);
  await prepare();
  await expectAccessible(page);
}
