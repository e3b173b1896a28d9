import { seedDiscussion } from '../kit/sample-discussion.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test.use({ javaScriptEnabled: false });

test('the feed shows no control that needs a script, and the links of the bottom bar share its width', async ({
  page,
}) => {
  await page.goto('/');
  for (const button of await page.locator('button:not(form[method] *)').all()) await expect(button).toBeHidden();
  // Forms lead to plain pages.
  const inPosts = page.locator('article form[action] button');
  expect(await inPosts.filter({ visible: true }).count()).toBeGreaterThan(0);
  await expect(inPosts.filter({ visible: false })).toHaveCount(0);
  await expect(page.getByText('лента коротких записей')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Закрыть' })).toHaveCount(0);

  await page.setViewportSize(phone);
  const links = page.getByRole('navigation', { name: 'Нижняя панель' }).getByRole('link');
  const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()));
  expect(boxes.map((box) => Math.round(box!.width))).toEqual([98, 98, 98]);
});

test('a long branch has no control that needs a script', async ({ page, ownWall }) => {
  const below = Array.from({ length: 60 }, (_, index) => ({ text: `Довод ${index + 1}` }));
  const ids = await seedDiscussion(ownWall, 'Вопрос', [{ text: 'Первый', below }]);
  await page.goto(`${ownWall.url}/posts/${ids.get('Вопрос')}`);
  await expect(page.getByRole('button', { name: /свернуть|ветки|^Сначала/ })).toHaveCount(0);
});

test('own pages say what they need', async ({ page }) => {
  for (const path of ['/liked', '/settings/devices']) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
      await expect(page.getByText('Загрузка')).toBeHidden();
      await page.getByRole('main').getByRole('link', { name: 'Войти' }).click();
      await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible();
    });
  }
});
