import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { openPage } from './support/app.ts';
import { articles, cardOf } from './support/feed.ts';
import { newPerson, profileLink, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, choose, dropNextResponse, toast } from './support/writing.ts';

const undoButton = (page: Page) => toast(page, 'Удалено').getByRole('button', { name: 'Вернуть' });
const restoration = /\/restoration$/;

test('a deleted post returns to its place with its likes, and gets the focus', async ({ page, ownWall }) => {
  const { ids, person } = await enterWithThree(page, ownWall);
  await ownWall.seed.like(ids[1]!, await ownWall.seed.person('boris_k'));
  await ownWall.seed.replies(ids[1]!, [{ by: person, text: 'Ответ' }]);
  await page.reload();
  await remove(page, 'вторая');
  await expect(articles(page)).toHaveCount(2);
  await undoButton(page).dblclick();
  await expect(articles(page)).toContainText(['третья', 'вторая', 'первая']);
  await expect(toast(page, 'Возвращено')).toBeVisible();
  await expect(toast(page, 'Возвращено').getByRole('link')).toHaveCount(0);
  await expect(cardOf(page, 'вторая')).toBeFocused();
  await expect(cardOf(page, 'вторая').getByRole('button', { name: 'Нравится' })).toContainText('1');
  await expect(cardOf(page, 'вторая').getByRole('button', { name: 'Ответить' })).toContainText('1');
  await page.reload();
  await expect(articles(page)).toContainText(['третья', 'вторая', 'первая']);
});

test('the message stays at least five seconds, and longer under the pointer and with the focus', async ({
  page,
  ownWall,
}) => {
  await enterWithThree(page, ownWall);
  await remove(page, 'вторая');
  await expect(undoButton(page)).toHaveAccessibleName('Вернуть');
  await page.waitForTimeout(5_000);
  await undoButton(page).hover();
  await page.waitForTimeout(limits.toastMs);
  await undoButton(page).focus();
  await page.mouse.move(300, 300);
  await page.waitForTimeout(limits.toastMs);
  await page.keyboard.press('Enter');
  await expect(articles(page)).toContainText(['третья', 'вторая', 'первая']);
});

test('the key Z takes the deletion back, whatever has the focus', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await remove(page, 'вторая');
  await expect(cardOf(page, 'первая')).toBeFocused();
  await page.keyboard.press('z');
  await expect(articles(page)).toContainText(['третья', 'вторая', 'первая']);
  await expect(cardOf(page, 'вторая')).toBeFocused();
});

test('after the open post was deleted, it can be restored on the page that follows', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await cardOf(page, 'первая').locator('time').click();
  await expect(page).toHaveURL(/\/posts\//);
  await remove(page, 'первая');
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(articles(page)).toContainText(['третья', 'вторая']);
  await undoButton(page).click();
  await expect(articles(page)).toContainText(['третья', 'вторая', 'первая']);
  await expect(cardOf(page, 'первая')).toBeFocused();
});

test('the same where links load whole pages', async ({ page, ownWall }) => {
  await page.addInitScript(() => void Reflect.deleteProperty(window, 'navigation'));
  const { ids } = await enterWithThree(page, ownWall);
  await openPage(page, `${ownWall.url}/posts/${ids[0]}`);
  await remove(page, 'первая');
  await page.waitForURL(`${ownWall.url}/`);
  await undoButton(page).click();
  await expect(articles(page)).toContainText(['третья', 'вторая', 'первая']);
});

test('from a page that does not show it, a link leads to the restored post', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await remove(page, 'вторая');
  await profileLink(page).click();
  await expect(page).toHaveURL(/settings/);
  await undoButton(page).click();
  await toast(page, 'Возвращено').getByRole('link', { name: 'Открыть' }).click();
  await expect(page).toHaveURL(/\/posts\//);
  await expect(cardOf(page, 'вторая')).toBeVisible();
});

test('one’s own list offers it after the message is gone, also after a reload', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await openPage(page, `${ownWall.url}/own/posts`);
  await remove(page, 'вторая');
  const deleted = page.getByRole('list', { name: 'Удалённое' }).getByRole('listitem');
  await expect(deleted).toContainText('вторая');
  await openPage(page, `${ownWall.url}/own/replies`);
  await expect(page.getByText('Записи не найдены')).toBeVisible();
  await expect(deleted).toHaveCount(0);
  await openPage(page, `${ownWall.url}/own/posts`);
  await expect(articles(page)).toContainText(['третья', 'первая']);
  await deleted.getByRole('button', { name: 'Вернуть' }).click();
  await expect(articles(page)).toContainText(['третья', 'вторая', 'первая']);
  await expect(cardOf(page, 'вторая')).toBeFocused();
  await expect(deleted).toHaveCount(0);
});

test('a reply returns to its place in the discussion', async ({ page, ownWall }) => {
  const { ids, person } = await enterWithThree(page, ownWall);
  const [branch] = await ownWall.seed.replies(ids[0]!, [{ by: person, text: 'Ветка' }]);
  await ownWall.seed.replies(branch!, [{ by: person, text: 'Ниже' }]);
  await openPage(page, `${ownWall.url}/posts/${ids[0]}`);
  await remove(page, 'Ветка');
  await expect(page.getByRole('article', { name: 'Запись удалена' })).toBeVisible();
  await undoButton(page).click();
  await expect(page.getByRole('article', { name: 'Запись удалена' })).toHaveCount(0);
  await expect(articles(page)).toContainText(['Ветка', 'Ниже']);
  await remove(page, 'Ниже');
  await expect(articles(page)).toHaveCount(1);
  await undoButton(page).click();
  await expect(articles(page)).toContainText(['Ветка', 'Ниже']);
  await expect(cardOf(page, 'первая').getByRole('button', { name: 'Ответить' })).toContainText('2');
});

test('it returns to the open pages of others, without being announced', async ({ page, browser, ownWall }) => {
  await enterWithThree(page, ownWall);
  const other = await browser.newPage();
  await openPage(other, ownWall.url);
  await other.waitForTimeout(1_000);
  await remove(page, 'вторая');
  await expect(articles(other)).toContainText(['третья', 'первая']);
  await undoButton(page).click();
  await expect(articles(other)).toContainText(['третья', 'вторая', 'первая']);
  await expect(other.getByRole('button', { name: /Показать новые/ })).toHaveCount(0);
  await other.close();
});

test('says that it is too late', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const { ids } = await enterWithThree(page, ownWall);
  await remove(page, 'вторая');
  await ownWall.seed.purge(ids[1]!);
  await undoButton(page).click();
  await expect(toast(page, 'Вернуть уже нельзя')).toBeVisible();
  await expect(articles(page)).toContainText(['третья', 'первая']);
});

test('offline and after a lost response it can be tried again', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|404/);
  await enterWithThree(page, ownWall);
  await remove(page, 'вторая');
  await expect(undoButton(page)).toBeVisible();
  await context.setOffline(true);
  await undoButton(page).click();
  const again = toast(page, 'Нет соединения').getByRole('button', { name: 'Вернуть' });
  await expect(again).toBeVisible();
  await context.setOffline(false);
  await dropNextResponse(page, 'POST', restoration);
  await again.click();
  await expect(toast(page, 'Нет соединения').getByRole('button', { name: 'Вернуть' })).toBeVisible();
  await again.click();
  await expect(toast(page, 'Возвращено')).toBeVisible();
  await expect(articles(page)).toContainText(['третья', 'вторая', 'первая']);
});

test('the dialog says that one may change one’s mind', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await choose(page, 'вторая', 'Удалить');
  await expect(page.getByRole('dialog')).toContainText(/Передумать\sможно\sв\sтечение\sпяти\sминут/);
});

async function remove(page: Page, text: string): Promise<void> {
  await choose(page, text, 'Удалить');
  await choice(page, 'Удалить').click();
}

/** Signs in a person with three posts. */
async function enterWithThree(page: Page, wall: Wall): Promise<{ ids: number[]; person: number }> {
  const person = await newPerson(wall);
  const ids = await wall.seed.posts(['первая', 'вторая', 'третья'].map((text) => ({ by: person.id, text })));
  await restoreSession(page, wall, person);
  return { ids, person: person.id };
}
