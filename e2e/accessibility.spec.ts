import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { scrollToPost } from './support/feed.ts';
import { longName } from './support/lived-in-wall.ts';
import { desk, phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('the feed', async ({ page }) => {
  await expectAccessible(page, '/');
});

test('a post with its replies', async ({ page, wall }) => {
  await expectAccessible(page, `/posts/${wall.ids.discussed}`);
});

test('a reply with what it answers', async ({ page, wall }) => {
  await expectAccessible(page, `/posts/${wall.ids.nested}`);
});

test('a reply whose answered post is gone', async ({ page, wall }) => {
  await expectAccessible(page, `/posts/${wall.ids.orphan}`);
});

test('an author', async ({ page }) => {
  await expectAccessible(page, `/users/${longName}`);
});

test('a missing post', async ({ page, mishaps }) => {
  mishaps.expect(/404/);
  await expectAccessible(page, '/posts/999999');
});

test('an empty wall', async ({ page, ownWall }) => {
  await expectAccessible(page, ownWall.url);
});

test('the sign-in dialog', async ({ page }) => {
  await expectAccessible(page, '/', async () => {
    await page.getByRole('button', { name: 'Войти' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test('far down the feed', async ({ page }) => {
  await expectAccessible(page, '/', () => scrollToPost(page, 30));
});

test('a failure', async ({ page, mishaps }) => {
  mishaps.expect(/500/);
  await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 500, json: {} }));
  await expectAccessible(page, '/', async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

/** In both themes, on the smallest and the largest of the layouts. */
async function expectAccessible(page: Page, path: string, prepare = async () => {}): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(path);
  await hydrated(page);
  await prepare();
  for (const viewport of [phone, desk]) {
    await page.setViewportSize(viewport);
    for (const theme of ['dark', 'light']) {
      await page.evaluate(async (theme) => {
        document.documentElement.dataset['theme'] = theme;
        await Promise.all(document.getAnimations().map(({ finished }) => finished));
      }, theme);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      expect(found, `${theme}, ${viewport.width} px`).toEqual([]);
    }
  }
}
