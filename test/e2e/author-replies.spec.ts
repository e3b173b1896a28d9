import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { expectSameDocument, hydrated, markDocument } from './support/app.ts';
import { articles, cardOf, scrollToPost, seenPosts } from './support/feed.ts';
import { boris, longName, repliesToDiscussed, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';
import { expectTexts, heading } from './support/views.ts';
import { choice, signInNewPerson, textField } from './support/writing.ts';

const path = `/users/${longName}/replies`;
const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Записи и ответы' }).getByRole('link', { name, exact: true });

test('the page of an author has a tab for replies, with an address of its own', async ({ page, wall }) => {
  await page.goto(`/users/${longName}`);
  await hydrated(page);
  await markDocument(page);
  await expect(page.getByText('2 записи · на стене с')).toBeVisible();
  await expect(tab(page, 'Записи')).toHaveAttribute('aria-current', 'page');
  await expect(tab(page, 'Ответы')).not.toHaveAttribute('aria-current');
  await tab(page, 'Ответы').click();
  await expect(page).toHaveURL(wall.url + path);
  await expect(page).toHaveTitle(`${longName}: ответы - Стена`);
  await expect(heading(page)).toHaveText(longName);
  await expect(tab(page, 'Ответы')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByText(`${repliesToDiscussed} ответов · на стене с`)).toBeVisible();
  await scrollToPost(page, repliesToDiscussed);
  expect((await seenPosts(page)).map(([, text]) => text)).toEqual(
    Array.from({ length: repliesToDiscussed }, (_, index) => `Ответ ${index + 1}`),
  );
  await expect(articles(page).last().getByRole('link', { name: texts.discussed })).toBeVisible();
  await page.goBack();
  await expect(cardOf(page, texts.full)).toBeVisible();
  await expectSameDocument(page);
});

test('the skeleton of a tab has the shape of what comes', async ({ page }) => {
  await page.goto(`/users/${longName}`);
  await hydrated(page);
  let answer = () => {};
  const asked = new Promise<void>((go) => (answer = go));
  await page.route('**/api/v1/posts?*filter=replies*', (route) => asked.then(() => route.continue()));
  await tab(page, 'Ответы').click();
  // After a text for screen readers, the facts and the tabs.
  const first = await page.locator('main [aria-busy=true] > :nth-child(4)').boundingBox();
  answer();
  await expect(articles(page).first()).toBeVisible();
  expect((await articles(page).first().boundingBox())!.y).toBe(first!.y);
});

test('a reply to a deleted post says so', async ({ page }) => {
  await page.goto(`/users/${boris}/replies`);
  await expectTexts(page, ['Ответ в пустоту', 'Ответ на ответ']);
  await expect(cardOf(page, 'Ответ в пустоту')).toContainText('Запись удалена');
});

test('one’s own new reply appears on the tab at once, another device’s when the page is opened', async ({
  page,
  ownWall,
}) => {
  const { seed } = ownWall;
  const [id] = await seed.posts([{ by: await seed.person('galina_m'), text: 'Вопрос' }]);
  const me = await signInNewPerson(page, ownWall);
  await seed.replies(id!, [{ by: me.id, text: 'Первый' }]);
  await page.goto(`${ownWall.url}/users/${me.name}/replies`);
  await hydrated(page);
  await expectTexts(page, ['Первый']);
  await cardOf(page, 'Первый').getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Второй');
  await choice(page, 'Опубликовать').click();
  await expectTexts(page, ['Второй', 'Первый']);
  await seed.replies(id!, [{ by: me.id, text: 'Третий' }]);
  await tab(page, 'Записи').click();
  await expect(page.getByText('0 записей')).toBeVisible();
  await tab(page, 'Ответы').click();
  await expectTexts(page, ['Третий', 'Второй', 'Первый']);
});

test('the replies of a muted author are shown in full on the author’s page, as the posts are', async ({
  page,
  ownWall,
}) => {
  const by = await ownWall.seed.person('galina_m');
  const [id] = await ownWall.seed.posts([{ by, text: 'Вопрос' }]);
  await ownWall.seed.replies(id!, [{ by, text: 'Ответ' }]);
  await signInNewPerson(page, ownWall, '/users/galina_m/replies');
  await page.getByRole('button', { name: 'Скрыть автора' }).click();
  await expect(page.getByText('Вы скрыли этого автора')).toBeVisible();
  await expectTexts(page, ['Ответ']);
  await page.reload();
  await hydrated(page);
  await expectTexts(page, ['Ответ']);
});

test('the tab is accessible', async ({ page }) => {
  test.setTimeout(60_000);
  await page.goto(path);
  await hydrated(page);
  await expectAccessible(page);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the tabs are links, and the replies can be read to the end', async ({ page, wall }) => {
    await page.goto(`/users/${longName}`);
    await tab(page, 'Ответы').click();
    await expect(page).toHaveURL(wall.url + path);
    await expect(articles(page)).toHaveCount(10);
    for (const count of [10, repliesToDiscussed - 20]) {
      await page.getByRole('link', { name: 'Дальше' }).click();
      await expect(articles(page)).toHaveCount(count);
    }
    await expect(page.getByRole('link', { name: 'Дальше' })).toHaveCount(0);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', wall.url + path);
  });
});
