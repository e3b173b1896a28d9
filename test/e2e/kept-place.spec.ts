import type { Page } from '@playwright/test';
import { hydrated, openPage, reloadPage } from './support/app.ts';
import { layoutIsStable, scrollPosition, scrollToPost, sight } from './support/feed.ts';
import { filledWall } from './support/live.ts';
import { ordinaryText } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';
import { signInReader } from './support/views.ts';
import type { Wall } from './support/wall.ts';

const elsewhere = ({ url }: Wall) => `${url}/favicon.svg`;

for (const api of ['with', 'without']) {
  test.describe(`${api} the Navigation API`, () => {
    test.beforeEach(async ({ page }) => {
      if (api === 'without') await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
    });

    test('a reload thirty pages down the feed restores the same post at the same height', async ({ page }) => {
      await openPage(page, '/');
      await scrollToPost(page, 300);
      await page.evaluate(() => scrollBy(0, -777));
      const before = await sight(page);
      const asked = listRequests(page);
      await page.reload();
      await expectSight(page, before);
      expect(asked.length).toBeLessThanOrEqual(8);
      // A second reload works too, and the list can still load its next page.
      await page.reload();
      await expectSight(page, before);
      // So does Back to it when another page was reloaded.
      const link = page.locator(`article [data-permalink][href="${before.href}"]`);
      await link.evaluate((it: HTMLElement) => it.click());
      await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
      await reloadPage(page);
      await page.goBack();
      await expectSight(page, before);
      await scrollToPost(page, 330);
    });

    test('returning from another site restores the position despite newer posts', async ({ page, ownWall }) => {
      const by = await filledWall(ownWall, 60);
      await openPage(page, ownWall.url);
      await scrollToPost(page, 45);
      await page.evaluate(() => scrollBy(0, -333));
      const before = await sight(page);
      await page.goto(elsewhere(ownWall));
      await ownWall.seed.posts(Array.from({ length: 13 }, (_, index) => ({ by, text: `Новая ${index}` })));
      await expect.poll(async () => (await page.request.get(ownWall.url)).text()).toContain('Новая 12');
      await page.goBack();
      await expectSight(page, before);

      // When the post was deleted, the position next to it is restored.
      const id = Number(before.href.split('/').at(-1));
      await page.goto(elsewhere(ownWall));
      await ownWall.seed.remove(id);
      await page.goBack();
      await hydrated(page);
      await expect.poll(async () => (await sight(page)).href).toBe(`/posts/${id - 1}`);
    });

    test('entering the same address again opens the feed at its top', async ({ page }) => {
      await openPage(page, '/');
      await scrollToPost(page, 40);
      const asked = listRequests(page);
      await page.goto('/', { waitUntil: 'commit' });
      // The page before may have requested more posts at the last moment.
      asked.length = 0;
      await hydrated(page);
      await layoutIsStable(page);
      await expect.poll(() => scrollPosition(page)).toBe(0);
      expect(asked).toEqual([]);
    });

    test('a reload restores the position in one’s own list and among replies', async ({ page, ownWall }) => {
      await signInReader(page, ownWall);
      const by = await ownWall.seed.person('boris_p');
      const [id] = await ownWall.seed.posts([{ by, text: 'Спорная' }]);
      const replies = Array.from({ length: 60 }, (_, index) => ({ by, text: ordinaryText(60 - index) }));
      await ownWall.seed.replies(id!, replies);
      for (const path of ['/liked', `/posts/${id}`]) {
        await openPage(page, ownWall.url + path);
        await expect(page.getByRole('feed')).toBeVisible();
        await scrollToPost(page, 40);
        const before = await sight(page);
        await page.reload();
        await expectSight(page, before);
      }
    });
  });
}

test('the position survives a discarded tab', async ({ page }) => {
  // A discarded tab gets no `pagehide`. Chromium calls the listeners of a window in the order of their registration.
  await page.addInitScript(() => addEventListener('pagehide', (event) => event.stopImmediatePropagation()));
  await openPage(page, '/');
  await scrollToPost(page, 40);
  const before = await sight(page);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.reload();
  await expectSight(page, before);
});

async function expectSight(page: Page, { href, top }: Awaited<ReturnType<typeof sight>>): Promise<void> {
  await hydrated(page);
  const post = page.locator('[role=feed] article', { has: page.locator(`[data-permalink][href="${href}"]`) });
  await expect(post).toHaveCount(1);
  const now = () => post.evaluate((element) => element.getBoundingClientRect().top);
  await expect.poll(async () => Math.abs((await now()) - top)).toBeLessThanOrEqual(1);
}

/** Records the list requests from now on. */
function listRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/v1\/posts(\/\d+\/replies|\/replies)?\?/.test(request.url())) asked.push(request.url());
  });
  return asked;
}
