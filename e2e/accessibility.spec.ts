import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { hydrated } from './support/app.ts';
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
    await page.getByRole('button', { name: 'Клавиши' }).click();
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

async function expectAccessibleAt(page: Page, path: string, prepare = async () => {}): Promise<void> {
  await page.goto(path);
  await hydrated(page);
  await prepare();
  await expectAccessible(page);
}
