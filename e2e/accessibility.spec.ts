import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { hydrated } from './support/app.ts';
import { contrastOf } from './support/contrast.ts';
import { scrollToPost } from './support/feed.ts';
import { longName } from './support/lived-in-wall.ts';
import { expect, test } from './support/test.ts';

test('the feed', async ({ page }) => {
  await expectAccessibleAt(page, '/');
});

test('a post with its replies', async ({ page, wall }) => {
  await expectAccessibleAt(page, `/posts/${wall.ids.discussed}`);
});

test('a reply with what it answers', async ({ page, wall }) => {
  await expectAccessibleAt(page, `/posts/${wall.ids.nested}`);
});

test('a reply whose answered post is gone', async ({ page, wall }) => {
  await expectAccessibleAt(page, `/posts/${wall.ids.orphan}`);
});

test('an author', async ({ page }) => {
  await expectAccessibleAt(page, `/users/${longName}`);
});

test('a missing post', async ({ page, mishaps }) => {
  mishaps.expect(/404/);
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

test('the list of keys', async ({ page }) => {
  await expectAccessibleAt(page, '/', async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test('far down the feed', async ({ page }) => {
  await expectAccessibleAt(page, '/', () => scrollToPost(page, 30));
});

test('a failure', async ({ page, mishaps }) => {
  mishaps.expect(/500/);
  await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 500, json: {} }));
  await expectAccessibleAt(page, '/', async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

test('who wants no motion gets none', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.route('**/api/v1/posts?*', () => {});
  await page.goto('/');
  await hydrated(page);
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

test('where colours are forced, what colour alone would say has another sign', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/');
  await hydrated(page);
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
  test(`who wants more contrast gets it, ${theme}`, async ({ page }) => {
    await page.addInitScript((theme) => localStorage.setItem('theme', theme), theme);
    await page.goto('/');
    await hydrated(page);
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
  await page.goto(path);
  await hydrated(page);
  await prepare();
  await expectAccessible(page);
}
