import { hydrated } from '../support/app.ts';
import { scrollToPost } from '../support/feed.ts';
import { takePictures } from '../support/gallery.ts';
import { anna, boris, longName } from '../support/populated-wall.ts';
import { column, seedTalks } from '../support/right-column.ts';
import { desk } from '../support/screens.ts';
import { newPerson, restoreSession } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { switcher } from '../support/views.ts';

test('pages for visitors', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/404/);
  const { ids } = wall;
  for (const [name, path] of Object.entries({
    feed: '/',
    post: `/posts/${ids.discussed}`,
    'post-full': `/posts/${ids.full}`,
    'post-long-word': `/posts/${ids.longWord}`,
    'post-popular': `/posts/${ids.popular}`,
    reply: `/posts/${ids.nested}`,
    'reply-to-nothing': `/posts/${ids.orphan}`,
    author: `/users/${anna}`,
    'author-replies': `/users/${boris}/replies`,
    'author-long-name': `/users/${longName}`,
    'post-missing': '/posts/999999',
    'page-missing': '/nowhere',
    'sign-in-needed': '/liked',
    about: '/about',
    rules: '/rules',
    privacy: '/privacy',
    api: '/api',
  })) {
    await page.goto(path);
    await hydrated(page);
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    await takePictures(page, name);
  }
});

test('on paper and at a zoom of 400 %', async ({ page, wall }) => {
  await page.goto(`/posts/${wall.ids.links}`);
  await hydrated(page);
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: 'test-results/gallery/printed-post.png' });
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto('/');
  await hydrated(page);
  await page.screenshot({ path: 'test-results/gallery/zoomed-feed.png' });
  await page.evaluate(() => scrollTo(0, 150));
  await page.screenshot({ path: 'test-results/gallery/zoomed-feed-scrolled.png' });
});

test('a feed while it loads more', async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  await switcher(page).click();
  await takePictures(page, 'feed-views');
  await page.keyboard.press('Escape');
  await scrollToPost(page, 25);
  await takePictures(page, 'feed-further-down');
});

test('the right column', async ({ page, ownWall }) => {
  const [root] = await seedTalks(ownWall);
  const { id, name } = await newPerson(ownWall);
  await ownWall.seed.follow(root!, id);
  const edge = { width: 1_060, height: 800 };
  await page.goto(ownWall.url);
  await hydrated(page);
  await takePictures(page, 'right-column-visitor', undefined, { edge, desk });
  await restoreSession(page, ownWall, { id, name });
  await expect(column(page).getByRole('heading', { name: 'Слежу' })).toBeVisible();
  await takePictures(page, 'right-column', undefined, { edge, desk });
});

test('an empty wall', async ({ page, ownWall }) => {
  const silent = await ownWall.seed.person('molchun');
  await page.goto(ownWall.url);
  await hydrated(page);
  await takePictures(page, 'feed-empty');
  await page.goto(`${ownWall.url}/users/molchun`);
  await hydrated(page);
  await takePictures(page, 'author-empty');
  const [only] = await ownWall.seed.posts([{ by: silent, text: 'Здесь кто-нибудь есть?' }]);
  await page.goto(ownWall.url);
  await hydrated(page);
  await takePictures(page, 'feed-one');
  await page.goto(`${ownWall.url}/posts/${only}`);
  await hydrated(page);
  await takePictures(page, 'post-withoutResponse');
});

test('slow, failed and offline pages', async ({ page, context, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED|500/);
  await page.goto('/');
  await hydrated(page);
  await page.route('**/api/v1/**', () => {});
  await page.getByRole('main').getByRole('link', { name: 'boris_petrov' }).first().click();
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  await takePictures(page, 'page-loading');
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await page.goto('/');
  await hydrated(page);
  await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole('alert')).toContainText('Что-то пошло не так');
  await takePictures(page, 'feed-failed', page.getByRole('button', { name: 'Повторить' }));

  await context.setOffline(true);
  await page.getByRole('main').getByRole('link', { name: 'boris_petrov' }).first().click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await takePictures(page, 'page-offline');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a post with its replies', async ({ page, wall }) => {
    await page.goto(`/posts/${wall.ids.discussed}`);
    await page.screenshot({ path: 'test-results/gallery/no-scripts-post.png' });
    await expect(page.getByRole('link', { name: 'Дальше' })).toBeVisible();
  });
});
