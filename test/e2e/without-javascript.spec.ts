import type { Page } from '@playwright/test';
import { anna, annasPosts, repliesToDiscussed, texts } from './support/populated-wall.ts';
import { seedDiscussion } from './support/discussion.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test.use({ javaScriptEnabled: false });

test('links lead through the feed to its end', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts(Array.from({ length: 31 }, (_, index) => ({ by, text: `Пост ${31 - index}` })));
  await page.goto(ownWall.url);
  expect(await readToTheEnd(page)).toEqual(Array.from({ length: 31 }, (_, index) => `Пост ${index + 1}`));
});

test('links lead through the replies to their end, under the post they answer', async ({ page, wall }) => {
  await page.goto(`/posts/${wall.ids.discussed}`);
  const read = await readToTheEnd(page);
  const direct = Array.from({ length: repliesToDiscussed }, (_, index) => `Ответ ${index + 1}`);
  expect(read).toEqual(['Ответ 1', 'Ответ на ответ', ...direct.slice(1)]);
  await expect(page.getByText(texts.discussed)).toBeVisible();
});

test('a long branch continues on the page of its post', async ({ page, ownWall }) => {
  const below = Array.from({ length: 60 }, (_, index) => ({ text: `Довод ${index + 1}` }));
  const ids = await seedDiscussion(ownWall, 'Вопрос', [{ text: 'Первый', below }]);
  await page.goto(`${ownWall.url}/posts/${ids.get('Вопрос')}`);
  await expect(page.getByRole('button', { name: /^Ветка|^Сначала/ })).toHaveCount(0);
  await page.getByRole('link', { name: /^Показать ещё \d+$/ }).click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${ids.get('Первый')}`);
  await expect(page.getByRole('group', { name: 'Начало обсуждения' })).toContainText('Вопрос');
  expect(await readToTheEnd(page)).toHaveLength(60);
});

test('links lead through the posts of an author to their end', async ({ page }) => {
  await page.goto(`/users/${anna}`);
  const read = await readToTheEnd(page);
  expect(read.map((text) => text.split('\n')[0])).toEqual(
    Array.from({ length: annasPosts }, (_, index) => `Запись ${(index + 1) * 40}`),
  );
});

test('posts link to their pages, authors to theirs', async ({ page, wall }) => {
  await page.goto('/');
  const card = page.getByRole('article').filter({ hasText: texts.discussed });
  await card.getByRole('link', { name: '1 ч.' }).click();
  await expect(page).toHaveURL(`${wall.url}/posts/${wall.ids.discussed}`);
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'boris_petrov' }).first().click();
  await expect(page.getByRole('heading', { name: 'boris_petrov' })).toBeVisible();
});

test('shows no control that needs a script', async ({ page }) => {
  await page.goto('/');
  const outsidePosts = page.locator('button:not(article *)');
  for (const button of await outsidePosts.all()) await expect(button).toBeHidden();
  // Those of posts show counts.
  const inPosts = page.locator('article button').filter({ visible: true });
  expect(await inPosts.count()).toBeGreaterThan(0);
  await expect(inPosts.filter({ hasNotText: /\d/ })).toHaveCount(0);
});

test('the links of the bottom bar share its width', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/');
  const links = page.getByRole('navigation', { name: 'Нижняя панель' }).getByRole('link');
  const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
  expect(boxes.map((box) => Math.round(box!.width))).toEqual([130, 130, 130]);
});

for (const path of ['/liked', '/settings/devices']) {
  test(`${path} says what it needs`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
    await expect(page.getByText('Загрузка')).toBeHidden();
    await page.getByRole('main').getByRole('link', { name: 'Лента' }).click();
    await expect(page.getByRole('article').first()).toBeVisible();
  });
}

async function readToTheEnd(page: Page): Promise<string[]> {
  const read: string[] = [];
  for (;;) {
    read.push(...(await page.getByRole('feed').locator('article [dir=auto]').allInnerTexts()));
    const next = page.getByRole('link', { name: 'Дальше' });
    if ((await next.count()) === 0) return read;
    await next.click();
  }
}
