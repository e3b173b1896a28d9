import { errors } from '#contract/errors.ts';
import { expectAccessible } from '../support/accessible.ts';
import { hydrated } from '../support/app.ts';
import { takePictures } from '../support/gallery.ts';
import { search, searchField, searchPath } from '../support/search.ts';
import { expect, test } from '../support/test.ts';
import type { Wall } from '../support/wall.ts';
import { signInNewPerson } from '../support/writing.ts';

async function seedTalk({ seed }: Wall): Promise<void> {
  const [galina, boris] = [await seed.person('galina_m'), await seed.person('boris_petrov')];
  const [root] = await seed.posts([
    { by: boris, text: 'Всем привет!', age: 9 * 86_400 },
    { by: galina, text: 'Где у нас хорошая пекарня? @boris_petrov, ты же знаешь. #хлеб #пекарня', age: 7_200 },
    { by: boris, text: 'Пекарня открылась: https://example.org/пекарня-у-моста, заходите', age: 3_600 },
  ]);
  await seed.replies(root! + 1, [{ by: boris, text: 'Пекарня у старого моста, за аптекой', age: 600 }]);
}

/** The hints, results, none, and an author alone. */
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

test('the search while it is loading and after a failure', async ({ page, ownWall, pageErrors }) => {
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
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  await takePictures(page, 'search-loading');
  respond();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await takePictures(page, 'search-failed');
});

test.describe('for members only', () => {
  test.use({ settings: { SEARCH: 'members' } });

  test('the search of a visitor', async ({ page, ownWall }) => {
    await seedTalk(ownWall);
    await page.goto(ownWall.url + searchPath('пекарня'));
    await hydrated(page);
    await expect(page.getByRole('main').getByRole('button', { name: 'Войти' })).toBeVisible();
    await takePictures(page, 'search-members-only');
  });
});
