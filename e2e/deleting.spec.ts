import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { newPerson, arrive } from './support/door.ts';
import { articles, cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, enter, menuButton, toast } from './support/writing.ts';
import type { Wall } from './support/wall.ts';

test('a deleted post leaves the feed, and the focus goes to the one in its place', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await choose(page, 'вторая', 'Удалить');
  await expect(page.getByRole('dialog', { name: 'Удалить запись?' })).toBeVisible();
  await expect(choice(page, 'Отмена')).toBeFocused();
  await choice(page, 'Отмена').click();
  await expect(menuButton(page, 'вторая')).toBeFocused();

  await choose(page, 'вторая', 'Удалить');
  await choice(page, 'Удалить').dblclick();
  await expect(toast(page, 'Удалено')).toBeVisible();
  await expect(articles(page)).toContainText(['третья', 'первая']);
  await expect(cardOf(page, 'первая')).toBeFocused();
  await page.reload();
  await expect(articles(page)).toContainText(['третья', 'первая']);
});

test('whoever views it goes to the feed, and Back does not lead there again', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await cardOf(page, 'первая').locator('time').click();
  await expect(page).toHaveURL(/\/posts\//);
  await choose(page, 'первая', 'Удалить');
  await choice(page, 'Удалить').click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(toast(page, 'Удалено')).toBeVisible();
  await expect(articles(page)).toContainText(['третья', 'вторая']);
  await page.goBack();
  await expect(articles(page)).toContainText(['третья', 'вторая']);
});

test('a deleted reply is counted no more', async ({ page, ownWall }) => {
  const { id: by } = await enter(page, ownWall);
  const [id] = await ownWall.seed.posts([{ by, text: 'Корень' }]);
  await ownWall.seed.replies(id!, [{ by, text: 'Ветка' }]);
  await page.goto(`${ownWall.url}/posts/${id}`);
  await hydrated(page);
  await choose(page, 'Ветка', 'Удалить');
  await expect(page.getByRole('dialog', { name: 'Удалить ответ?' })).toBeVisible();
  await choice(page, 'Удалить').click();
  await expect(page.getByText('Записи не найдены')).toBeVisible();
  await expect(cardOf(page, 'Корень').getByRole('button', { name: 'Ответить' })).not.toContainText('1');
});

test('what is gone already is told, and leaves', async ({ page, ownWall, mishaps }) => {
  mishaps.expect(/404/);
  const ids = await enterWithThree(page, ownWall);
  await choose(page, 'вторая', 'Удалить');
  await ownWall.seed.remove(ids[1]!);
  await choice(page, 'Удалить').click();
  await expect(toast(page, 'Сообщение не найдено')).toBeVisible();
  await expect(articles(page)).toContainText(['третья', 'первая']);
});

test('without a network it stays, and can be tried again', async ({ page, context, ownWall, mishaps }) => {
  mishaps.expect(/ERR_INTERNET_DISCONNECTED/);
  await enterWithThree(page, ownWall);
  await choose(page, 'вторая', 'Удалить');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await context.setOffline(true);
  await choice(page, 'Удалить').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await context.setOffline(false);
  await choice(page, 'Удалить').click();
  await expect(articles(page)).toContainText(['третья', 'первая']);
});

/** Somebody who has written three posts. */
async function enterWithThree(page: Page, wall: Wall): Promise<number[]> {
  const person = await newPerson(wall);
  const ids = await wall.seed.posts(['первая', 'вторая', 'третья'].map((text) => ({ by: person.id, text })));
  await arrive(page, wall, person);
  return ids;
}
