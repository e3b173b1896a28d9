import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { scrollPosition, scrollToPost, layoutIsStable } from './support/feed.ts';
import { ordinaryText } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';
import { signInReader } from './support/views.ts';

for (const api of ['with', 'without']) {
  test.describe(`${api} the Navigation API`, () => {
    test.beforeEach(async ({ page }) => {
      if (api === 'without') await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
    });

    test('a reload thirty pages down the feed restores the same post at the same height', async ({ page }) => {
      await page.goto('/');
      await hydrated(page);
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
      await scrollToPost(page, 330);
    });

    test('returning from another site restores the position despite newer posts', async ({ page, ownWall }) => {
      const by = await ownWall.seed.person('galina_m');
      const posts = Array.from({ length: 80 }, (_, index) => ({ by, text: ordinaryText(80 - index) }));
      await ownWall.seed.posts(posts);
      await page.goto(ownWall.url);
      await hydrated(page);
      await scrollToPost(page, 45);
      await page.evaluate(() => scrollBy(0, -333));
      const before = await sight(page);
      await page.goto(`${ownWall.url}/favicon.svg`);
      await ownWall.seed.posts(Array.from({ length: 13 }, (_, index) => ({ by, text: `Новая ${index}` })));
      await expect.poll(async () => (await page.request.get(ownWall.url)).text()).toContain('Новая 12');
      await page.goBack();
      await expectSight(page, before);
    });

    test('entering the same address again opens the feed at its top', async ({ page }) => {
      await page.goto('/');
      await hydrated(page);
      await scrollToPost(page, 40);
      const asked = listRequests(page);
      await page.goto('/', { waitUntil: 'commit' });
      // The page before may have requested more posts at the last moment.
      asked.length = 0;
      await hydrated(page);
      await layoutIsStable(page);
      expect(await scrollPosition(page)).toBe(0);
      expect(asked).toEqual([]);
    });

    test('when the post was deleted, the position next to it is restored', async ({ page, ownWall }) => {
      const by = await ownWall.seed.person('galina_m');
      const posts = Array.from({ length: 60 }, (_, index) => ({ by, text: ordinaryText(60 - index) }));
      await ownWall.seed.posts(posts);
      await page.goto(ownWall.url);
      await hydrated(page);
      await scrollToPost(page, 40);
      const { href } = await sight(page);
      const id = Number(href.split('/').at(-1));
      await page.goto(`${ownWall.url}/favicon.svg`);
      await ownWall.seed.remove(id);
      await page.goBack();
      await hydrated(page);
      await expect.poll(async () => (await sight(page)).href).toBe(`/posts/${id - 1}`);
    });

    test('a reload restores the position in the person’s own list', async ({ page, ownWall }) => {
      await signInReader(page, ownWall);
      await page.goto(`${ownWall.url}/liked`);
      await hydrated(page);
      await expect(page.getByRole('feed')).toBeVisible();
      await scrollToPost(page, 45);
      const before = await sight(page);
      await page.reload();
      await expectSight(page, before);
    });

    test('a reload restores the position among replies', async ({ page, ownWall }) => {
      const by = await ownWall.seed.person('galina_m');
      const [id] = await ownWall.seed.posts([{ by, text: 'Спорная' }]);
      await ownWall.seed.replies(
        id!,
        Array.from({ length: 60 }, (_, index) => ({ by, text: ordinaryText(60 - index) })),
      );
      await page.goto(`${ownWall.url}/posts/${id}`);
      await hydrated(page);
      await scrollToPost(page, 33);
      const before = await sight(page);
      await page.reload();
      await expectSight(page, before);
    });
  });
}

test('Back to a page that was not rendered since the reload restores the position in its list', async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  await scrollToPost(page, 60);
  const before = await sight(page);
  await page.locator(`article [data-permalink][href="${before.href}"]`).evaluate((link: HTMLElement) => link.click());
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await page.reload();
  await hydrated(page);
  await page.goBack();
  await expectSight(page, before);
});

test('the position survives a discarded tab', async ({ page, context }) => {
  // A discarded tab gets no `pagehide`. Chromium calls the listeners of a window in the order of their registration.
  await page.addInitScript(() => addEventListener('pagehide', (event) => event.stopImmediatePropagation()));
  await page.goto('/');
  await hydrated(page);
  await scrollToPost(page, 40);
  const before = await sight(page);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect(context.pages()).toContain(page);
  await page.reload();
  await expectSight(page, before);
});

interface Sight {
  href: string;
  top: number;
}

/** The post at the top of the window and its distance from the edge. */
async function sight(page: Page): Promise<Sight> {
  await layoutIsStable(page);
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('[role=feed] article')];
    const first = all.find((article) => article.getBoundingClientRect().bottom > 0);
    const href = first?.querySelector('[data-permalink]')?.getAttribute('href') ?? '';
    return { href, top: first?.getBoundingClientRect().top ?? 0 };
  });
}

async function expectSight(page: Page, { href, top }: Sight): Promise<void> {
  await hydrated(page);
  const post = page.locator('[role=feed] article', { has: page.locator(`[data-permalink][href="${href}"]`) });
  await expect(post).toHaveCount(1);
  await layoutIsStable(page);
  const box = await post.evaluate((element) => element.getBoundingClientRect().top);
  expect(Math.abs(box - top)).toBeLessThanOrEqual(1);
}

/** Records the list requests from now on. */
function listRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/v1\/posts(\/\d+\/replies|\/replies)?\?/.test(request.url())) asked.push(request.url());
  });
  return asked;
}
