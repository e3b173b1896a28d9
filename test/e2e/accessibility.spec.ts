import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { dialogLeft, openPage } from './support/app.ts';
import { contrastOf } from './support/contrast.ts';
import { scrollToPost } from './support/feed.ts';
import { longName } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test('the feed, discussions, an author, a missing post and an empty wall', async ({
  page,
  wall,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/404/);
  const { discussed, nested, orphan } = wall.ids;
  const posts = [discussed, nested, orphan, 999_999].map((id) => `/posts/${id}`);
  for (const path of ['/', ...posts, `/users/${longName}`, ownWall.url])
    await test.step(path, () => expectAccessibleAt(page, path));
});

test('the feed after fifty pages of scrolling, the list of keyboard shortcuts, and a failure', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/500/);
  await expectAccessibleAt(page, '/', () => scrollToPost(page, 30));
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialogLeft(page);
  await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 500, json: {} }));
  await expectAccessibleAt(page, '/', async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

test('forced colours, more contrast and reduced motion are respected', async ({ page }) => {
  await openPage(page, '/');
  await test.step('forced colours: every state that colour shows has another sign', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    for (const edge of ['a[href="#main"]', 'nav button', 'header button:text("Войти")', 'article']) {
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
    await page.emulateMedia({ forcedColors: 'none' });
  });

  for (const theme of ['dark', 'light']) {
    await test.step(`prefers-contrast: more raises the contrast, ${theme}`, async () => {
      await page.emulateMedia({ contrast: 'no-preference' });
      await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
      const colors = ['--ink-quiet', '--line', '--line-strong', '--line-field'];
      const usual = await contrastOf(page, colors);
      await page.emulateMedia({ contrast: 'more' });
      const more = await contrastOf(page, colors);
      for (const [index, contrast] of more.entries()) expect(contrast).toBeGreaterThan(usual[index]!);
      expect(more[0]).toBeGreaterThanOrEqual(7);
      expect(Math.min(...more)).toBeGreaterThanOrEqual(3);
    });
  }

  await test.step('prefers-reduced-motion turns animations off', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.route('**/api/v1/posts?*', () => {});
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
});

async function expectAccessibleAt(page: Page, path: string, prepare = async () => {}): Promise<void> {
  await openPage(page, path);
  await prepare();
  await expectAccessible(page);
}
