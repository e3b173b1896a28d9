import type { Page } from '@playwright/test';
import { anna, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test.use({ javaScriptEnabled: false });

test('the feed', async ({ page, wall }) => {
  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  expect(await head(page)).toEqual({
    title: 'Стена',
    description: 'Лента коротких записей: читайте, отвечайте, пишите свои.',
    canonical: `${wall.url}/`,
    'og:type': 'website',
    'og:site_name': 'Стена',
    'og:locale': 'ru_RU',
    'og:title': 'Стена',
    'og:description': 'Лента коротких записей: читайте, отвечайте, пишите свои.',
    'og:url': `${wall.url}/`,
    ...shareOf(wall.url),
  });
});

test('a post', async ({ page, wall }) => {
  const path = `/posts/${wall.ids.discussed}`;
  const response = await page.goto(path);
  expect(response?.status()).toBe(200);
  const title = `boris_petrov: ${texts.discussed} - Стена`;
  expect(await head(page)).toMatchObject({
    title,
    description: texts.discussed,
    canonical: wall.url + path,
    'og:type': 'article',
    'og:title': title,
    'og:description': texts.discussed,
    'og:url': wall.url + path,
    ...shareOf(wall.url),
    'article:published_time': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    'article:author': `${wall.url}/users/boris_petrov`,
  });
});

test('an author', async ({ page, wall }) => {
  const path = `/users/${anna}`;
  const response = await page.goto(path);
  expect(response?.status()).toBe(200);
  expect(await head(page)).toMatchObject({
    title: `${anna} - Стена`,
    description: `Записи пользователя ${anna}.`,
    canonical: wall.url + path,
    'og:title': `${anna} - Стена`,
  });
});

test('the replies of an author', async ({ page, wall }) => {
  const path = `/users/${anna}/replies`;
  const response = await page.goto(path);
  expect(response?.status()).toBe(200);
  expect(await head(page)).toMatchObject({
    title: `${anna}: ответы - Стена`,
    description: `Ответы пользователя ${anna}.`,
    canonical: wall.url + path,
    'og:title': `${anna}: ответы - Стена`,
    'og:url': wall.url + path,
  });
});

const missing = {
  post: { title: 'Запись не найдена', text: 'Запись не существует или была удалена' },
  page: { title: 'Страница не существует', text: 'Проверьте корректность адреса' },
};

for (const { what, path, says } of [
  { what: 'a missing post', path: '/posts/999999', says: missing.post },
  { what: 'a malformed id', path: '/posts/1e3', says: missing.post },
  { what: 'an unknown author', path: '/users/nobody_here', says: missing.page },
  { what: 'an unknown author of replies', path: '/users/nobody_here/replies', says: missing.page },
  { what: 'an author with an invalid name', path: '/users/кто', says: missing.page },
  { what: 'any other path', path: '/no/such/page', says: missing.page },
]) {
  test(`${what} returns 404`, async ({ page, pageErrors }) => {
    pageErrors.expect(/404/);
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page).toHaveTitle(`${says.title} - Стена`);
    await expect(page.getByRole('heading', { name: says.title })).toBeVisible();
    await expect(page.getByText(says.text)).toBeVisible();
  });
}

function shareOf(url: string) {
  return {
    'og:image': `${url}/share.png`,
    'og:image:type': 'image/png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'Кирпичная стена: записи стоят рядами, три из них красные',
    'twitter:card': 'summary_large_image',
  };
}

function head(page: Page): Promise<Record<string, string | null>> {
  return page.evaluate(() => {
    const metas = [...document.querySelectorAll('meta[name=description], meta[name^=twitter], meta[property]')];
    return {
      title: document.title,
      canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? null,
      ...Object.fromEntries(
        metas.map((meta) => [meta.getAttribute('property') ?? meta.getAttribute('name'), meta.getAttribute('content')]),
      ),
    };
  });
}
