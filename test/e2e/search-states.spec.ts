import type { Page } from '@playwright/test';
import { hydrated, openPage } from './support/app.ts';
import { failures } from './support/failures.ts';
import { articles } from './support/feed.ts';
import { search, searchField, searchPath, seedBakeries } from './support/search.ts';
import { askForCode, codeField, newPerson, restoreSession, signInButton } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { expectTexts, heading } from './support/views.ts';

const answers = '**/api/v1/posts/search?*';

for (const { what, respond, says, error } of failures.slice(0, 1)) {
  test(`after ${what} the field stays, and a retry finds the posts`, async ({ page, ownWall, pageErrors }) => {
    pageErrors.expect(error);
    await seedBakeries(ownWall, 1);
    await openPage(page, `${ownWall.url}/search`);
    await page.route(answers, respond, { times: 1 });
    await searchField(page).fill('пекарня');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByText(says)).toBeVisible();
    await expect(searchField(page)).toHaveValue('пекарня');
    await page.getByRole('button', { name: 'Повторить' }).click();
    await expectTexts(page, ['Пекарня 1']);
    await expect(searchField(page)).toHaveValue('пекарня');
  });
}

test('when the code of the search fails to load, the page says so, and a retry opens it', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED/);
  pageErrors.tolerate(/Failed to fetch/);
  await page.route('**/assets/search-part-*', (route) => route.abort());
  await openPage(page, ownWall.url);
  await page.keyboard.press('/');
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.unroute('**/assets/search-part-*');
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(searchField(page)).toBeFocused();
});

test.describe('when too many visitors search', () => {
  test.use({ settings: { RATE_LIMITS: 'on' } });

  test('a page says so to visitors and shows the results to members', async ({ page, ownWall, pageErrors }) => {
    pageErrors.expect(/429/);
    await seedBakeries(ownWall, 1);
    const useUp = async () => {
      for (let left = 200; left > 0; left -= 1) {
        const response = await page.request.get(`${ownWall.url}${searchPath(`погода ${left}`)}`);
        if (response.status() === 429) return response;
      }
      throw new Error('Never refused');
    };
    // A new minute allows more searches. White space makes another key in the cache.
    const openRefused = async () => {
      for (let spaces = '+'; ; spaces += '+') {
        await useUp();
        const response = await page.goto(`${ownWall.url}${searchPath('пекарня')}${spaces}`);
        if (response!.status() === 429) return hydrated(page);
      }
    };
    const refused = await useUp();
    expect(Number(refused.headers()['retry-after'])).toBeGreaterThanOrEqual(1);
    await openRefused();
    await expect(page.getByRole('heading', { name: 'Слишком много запросов' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Подождите немного или войдите');
    await expect(searchField(page)).toHaveValue('пекарня');
    await expect(page.getByRole('button', { name: 'Войти' })).toHaveCount(1);

    await restoreSession(page, ownWall, await newPerson(ownWall));
    await openRefused();
    await expectTexts(page, ['Пекарня 1']);
    await expect(searchField(page)).toHaveValue('пекарня');
  });
});

test.describe('open to members only', () => {
  test.use({ settings: { SEARCH: 'members' } });

  const isAsked = async (page: Page) => {
    await expect(page.getByRole('heading', { name: 'Поиск — для тех, кто вошёл' })).toBeVisible();
    await expect(heading(page)).toHaveText('Поиск');
    await expect(page.getByRole('button', { name: 'Войти' })).toHaveCount(1);
    await expect(articles(page)).toHaveCount(0);
  };

  test('visitors are asked to sign in, and then find what they searched for', async ({
    page,
    ownWall,
    mail,
    pageErrors,
  }) => {
    pageErrors.expect(/401/);
    await seedBakeries(ownWall, 1);
    const { email } = await newPerson(ownWall);
    await search(page, ownWall, 'пекарня');
    await isAsked(page);
    await expect(searchField(page)).toHaveValue('пекарня');

    await searchField(page).fill('другом');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(ownWall.url + searchPath('другом'));
    await isAsked(page);
    await page.getByRole('button', { name: 'Войти' }).click();
    await askForCode(page, email);
    await codeField(page).fill(await mail.codeTo(email));
    await expectTexts(page, ['О другом']);
    await expect(page).toHaveURL(ownWall.url + searchPath('другом'));

    await search(page, ownWall, 'пекарня');
    await expectTexts(page, ['Пекарня 1']);
    await expect(page.locator('main mark')).toHaveText(['Пекарня']);
    await expect(signInButton(page)).toHaveCount(0);
  });
});
