import { errors } from '#contract/errors.ts';
import { expectAccessible } from '../support/accessible.ts';
import { openPage } from '../support/app.ts';
import { scrollToPost } from '../support/feed.ts';
import { onlyPictures, takeEach, takePictures } from '../support/gallery.ts';
import { anna, boris, longName } from '../support/populated-wall.ts';
import { column, followWithNews, seedTalks } from '../support/right-column.ts';
import { desk } from '../support/screens.ts';
import { search, searchField, searchPath } from '../support/search.ts';
import { newPerson, restoreSession } from '../support/sign-in.ts';
import { openStory } from '../support/account.ts';
import { expect, test } from '../support/test.ts';
import { switcher } from '../support/views.ts';
import type { Wall } from '../support/wall.ts';
import { signInNewPerson } from '../support/writing.ts';

test('pages for visitors', onlyPictures, async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/404/);
  const { ids } = wall;
  await takeEach(page, wall, {
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
  });
});

test('on paper and at a zoom of 400 %', onlyPictures, async ({ page, wall }) => {
  await openPage(page, `/posts/${wall.ids.links}`);
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: 'test-results/gallery/printed-post.png' });
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 320, height: 256 });
  await openPage(page, '/');
  await page.screenshot({ path: 'test-results/gallery/zoomed-feed.png' });
  await page.evaluate(() => scrollTo(0, 150));
  await page.screenshot({ path: 'test-results/gallery/zoomed-feed-scrolled.png' });
});

test('a feed while it loads more', onlyPictures, async ({ page }) => {
  await openPage(page, '/');
  await switcher(page).click();
  await takePictures(page, 'feed-views');
  await page.keyboard.press('Escape');
  await scrollToPost(page, 25);
  await takePictures(page, 'feed-further-down');
});

test('the right column', onlyPictures, async ({ page, ownWall }) => {
  const [root] = await seedTalks(ownWall);
  const me = await newPerson(ownWall);
  await followWithNews(ownWall, root!, me);
  const edge = { width: 1_060, height: 800 };
  await openPage(page, ownWall.url);
  await takePictures(page, 'right-column-visitor', undefined, { edge, desk });
  await restoreSession(page, ownWall, me);
  await expect(column(page).getByRole('heading', { name: 'Слежу' })).toBeVisible();
  await takePictures(page, 'right-column', undefined, { edge, desk });
});

test('an empty wall', onlyPictures, async ({ page, ownWall }) => {
  const silent = await ownWall.seed.person('molchun');
  await takeEach(page, ownWall, { 'feed-empty': '/', 'author-empty': '/users/molchun' });
  const [only] = await ownWall.seed.posts([{ by: silent, text: 'Здесь кто-нибудь есть?' }]);
  await takeEach(page, ownWall, { 'feed-one': '/', 'post-withoutResponse': `/posts/${only}` });
});

test('slow, failed and offline pages', onlyPictures, async ({ page, context, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED|500/);
  await openPage(page, '/');
  await page.route('**/api/v1/**', () => {});
  await page.getByRole('main').getByRole('link', { name: 'boris_petrov' }).first().click();
  await takePictures(page, 'page-loading', page.locator('main [aria-busy=true]'));
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await openPage(page, '/');
  await page.route('**/api/v1/posts?*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole('alert')).toContainText('Что-то пошло не так');
  await takePictures(page, 'feed-failed', page.getByRole('button', { name: 'Повторить' }));

  await context.setOffline(true);
  await page.getByRole('main').getByRole('link', { name: 'boris_petrov' }).first().click();
  await takePictures(page, 'page-offline', page.getByRole('heading', { name: 'Не удалось загрузить' }));
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a post with its replies', onlyPictures, async ({ page, wall }) => {
    await page.goto(`/posts/${wall.ids.discussed}`);
    await page.screenshot({ path: 'test-results/gallery/no-scripts-post.png' });
    await expect(page.getByRole('link', { name: 'Дальше' })).toBeVisible();
  });
});

test('pages without scripts', onlyPictures, async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.tolerate(/ERR_FAILED/);
  const ownerLink = `/owner/${await ownWall.seed.ownerCode()}`;
  const invitation = `/join/${await ownWall.seed.invitation(await newPerson(ownWall))}`;
  await page.route('**/assets/*.js', (route) => route.abort());
  const take = async (paths: Record<string, string>) => {
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(ownWall.url + path);
      await takePictures(page, name, page.locator('main :is(form, nav, section)').first());
    }
  };
  await take({ 'plain-owner': ownerLink, 'plain-join': invitation });
  const { own, other } = await openStory(context, ownWall);
  await ownWall.seed.invited(await ownWall.seed.person('boris_petrov'), await ownWall.seed.person('anna_petrova'));
  await take({
    'plain-new': '/new',
    'plain-reply': `/posts/${other}/reply`,
    'plain-actions': `/posts/${other}/actions`,
    'plain-own-actions': `/posts/${own}/actions`,
    'plain-notifications': '/notifications',
    'plain-settings': '/settings',
    'plain-devices': '/settings/devices',
    'plain-moderation': '/moderation',
    'plain-people': '/moderation/people',
    'plain-person': '/moderation/people/anna_petrova',
    'plain-journal': '/moderation/journal',
    'plain-keep': '/keep?part=people',
  });
});

async function seedTalk({ seed }: Wall): Promise<void> {
  const [galina, boris] = [await seed.person('galina_m'), await seed.person('boris_petrov')];
  const [root] = await seed.posts([
    { by: boris, text: 'Всем привет!', age: 9 * 86_400 },
    { by: galina, text: 'Где у нас хорошая пекарня? @boris_petrov, ты же знаешь. #хлеб #пекарня', age: 7_200 },
    { by: boris, text: 'Пекарня открылась: https://example.org/пекарня-у-моста, заходите', age: 3_600 },
  ]);
  await seed.replies(root! + 1, [{ by: boris, text: 'Пекарня у старого моста, за аптекой', age: 600 }]);
}

/** One picture of each kind of page that is checked with axe: hints, results, no results, and an author alone. */
const accessible = ['search', 'search-found', 'search-nothing', 'search-author'];

test('the search', async ({ page, ownWall }) => {
  await seedTalk(ownWall);
  await signInNewPerson(page, ownWall);
  for (const [name, q] of Object.entries({
    search: '',
    'search-found': 'пекарня',
    'search-nothing': 'кондитерская',
    'search-other-layout': 'ghbdtn',
    'search-author': 'от:galina_m',
    'search-hashtag': '#хлеб',
  })) {
    await search(page, ownWall, q);
    await takePictures(page, name);
    if (accessible.includes(name)) await expectAccessible(page);
  }
});

test('the search while it is loading and after a failure', onlyPictures, async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/429/);
  await seedTalk(ownWall);
  await search(page, ownWall, '');
  let respond = () => {};
  const asked = new Promise<void>((go) => (respond = go));
  const refusal = { code: 'TOO_MANY_REQUESTS', message: errors.TOO_MANY_REQUESTS.message };
  await page.route('**/api/v1/posts/search?*', async (route) => {
    await asked;
    await route.fulfill({ status: 429, headers: { 'retry-after': '42' }, json: refusal });
  });
  await searchField(page).fill('пекарня');
  await page.keyboard.press('Enter');
  await takePictures(page, 'search-loading', page.locator('main [aria-busy=true]'));
  respond();
  await takePictures(page, 'search-failed', page.getByRole('heading', { name: 'Не удалось загрузить' }));
});

test.describe('for members only', () => {
  test.use({ settings: { SEARCH: 'members' } });

  test('the search of a visitor', onlyPictures, async ({ page, ownWall }) => {
    await seedTalk(ownWall);
    await openPage(page, ownWall.url + searchPath('пекарня'));
    await takePictures(page, 'search-members-only', page.getByRole('main').getByRole('button', { name: 'Войти' }));
  });
});
