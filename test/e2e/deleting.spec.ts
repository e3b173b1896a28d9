import type { Page } from '@playwright/test';
import { openPage, reloadPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { newPerson, profileLink, restoreSession } from './support/sign-in.ts';
import { expect, nightly, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import type { Wall } from './support/wall.ts';
import { choice, choose, dropNextResponse, holdToasts, menuButton, toast } from './support/writing.ts';

const all = ['третья', 'вторая', 'первая'];

/** The feed of a person with three posts. */
async function enterWithThree(page: Page, wall: Wall): Promise<number[]> {
  const me = await newPerson(wall);
  const ids = await wall.seed.posts(all.toReversed().map((text) => ({ by: me.id, text })));
  await wall.seed.like(ids[1]!, await wall.seed.person('boris_k'));
  await wall.seed.replies(ids[1]!, [{ by: me.id, text: 'Ответ' }]);
  await restoreSession(page, wall, me);
  return ids;
}

async function remove(page: Page, text: string): Promise<void> {
  await choose(page, text, 'Удалить');
  await expect(page.getByRole('dialog')).toContainText('Передумать можно в течение пяти минут');
  await choice(page, 'Удалить').click();
}

const undo = (page: Page, message = 'Удалено') => toast(page, message).getByRole('button', { name: 'Вернуть' });

test('a deleted post leaves the feed, and the next gets the focus', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, /404/);
  await enterWithThree(page, ownWall);
  await choose(page, 'вторая', 'Удалить');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await expect(page.getByRole('dialog').getByRole('blockquote')).toHaveText('вторая');
  const danger = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--danger)';
    return getComputedStyle(probe).color;
  });
  for (const property of ['color', 'border-block-start-color']) {
    await expect(choice(page, 'Удалить')).toHaveCSS(property, danger);
  }
  await choice(page, 'Отмена').click();
  await expect(menuButton(page, 'вторая')).toBeFocused();

  await choose(page, 'вторая', 'Удалить');
  await context.setOffline(true);
  await choice(page, 'Удалить').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await expectTexts(page, all);
  await context.setOffline(false);
  await page.route('**/api/v1/posts/*', async (route) => {
    const response = await route.fetch();
    await expect(cardOf(page, 'вторая')).toHaveCount(0);
    await route.fulfill({ response });
  });
  await choice(page, 'Удалить').dblclick();
  await expect(toast(page, 'Удалено')).toBeVisible();
  await page.unrouteAll();
  await expectTexts(page, ['третья', 'первая']);
  await expect(cardOf(page, 'первая')).toBeFocused();
  await reloadPage(page);
  await expectTexts(page, ['третья', 'первая']);

  // The post is not really deleted, because the event about a deletion would remove the card, too.
  const json = { code: 'NOT_FOUND', message: '' };
  await page.route('**/api/v1/posts/*', (route) => route.fulfill({ status: 404, json }));
  await remove(page, 'третья');
  await expect(toast(page, 'Сообщение не найдено')).toBeVisible();
  await expectTexts(page, ['первая']);
});

test(
  'however late the dialog closes, the next post gets the focus and no second click',
  nightly,
  async ({ page, ownWall }) => {
    await enterWithThree(page, ownWall);
    await choose(page, 'вторая', 'Удалить');
    const { x, y, width, height } = (await choice(page, 'Удалить').boundingBox())!;
    await page.mouse.click(x + width / 2, y + height / 2);
    await expect(cardOf(page, 'первая')).toBeFocused();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await expect(cardOf(page, 'первая')).toBeFocused();

    await choose(page, 'третья', 'Удалить');
    await expect(choice(page, 'Отмена')).toBeFocused();
    await page.evaluate(() => {
      const requestFrame = window.requestAnimationFrame;
      let atOnce = 10;
      window.requestAnimationFrame = (run) => {
        if (atOnce === 0) return requestFrame(run);
        atOnce -= 1;
        queueMicrotask(() => run(performance.now()));
        return 0;
      };
    });
    await choice(page, 'Удалить').click();
    await expectTexts(page, ['первая']);
    await expect(cardOf(page, 'первая')).toBeFocused();
    // The next click counts again.
    await cardOf(page, 'первая').click();
    await expect(page).toHaveURL(/\/posts\//);
  },
);

test('a deletion is taken back by the message or Z, and for others as well', async ({ page, browser, ownWall }) => {
  await holdToasts(page);
  await enterWithThree(page, ownWall);
  const other = await browser.newPage();
  await openPage(other, ownWall.url);
  await remove(page, 'вторая');
  for (const each of [page, other]) await expectTexts(each, ['третья', 'первая']);
  await undo(page).dblclick();
  for (const each of [page, other]) await expectTexts(each, all);
  await expect(cardOf(page, 'вторая')).toBeFocused();
  await expect(toast(page, 'Возвращено')).toBeVisible();
  await expect(toast(page, 'Возвращено').getByRole('link')).toHaveCount(0);
  const counted = (name: string) => cardOf(page, 'вторая').getByRole('button', { name });
  await expect(counted('Нравится')).toHaveText('Нравится 1');
  await expect(counted('Ответить')).toHaveText('Ответить 1');
  await expect(other.getByRole('button', { name: /Показать новые/ })).toHaveCount(0);
  await other.close();

  await openPage(page, ownWall.url);
  await remove(page, 'вторая');
  await expect(cardOf(page, 'первая')).toBeFocused();
  await page.keyboard.press('z');
  await expect(cardOf(page, 'вторая')).toBeFocused();

  await openPage(page, `${ownWall.url}/own/posts`);
  await remove(page, 'вторая');
  await expect(page.getByRole('link', { name: 'Удалённые: 1' })).toBeVisible();
  await undo(page).click();
  await expect(toast(page, 'Возвращено')).toBeVisible();

  await openPage(page, ownWall.url);
  await cardOf(page, 'первая').locator('time').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await remove(page, 'первая');
  await expectTexts(page, ['третья', 'вторая']);
  await undo(page).click();
  await expect(cardOf(page, 'первая')).toBeFocused();

  await openPage(page, ownWall.url);
  await remove(page, 'вторая');
  await profileLink(page).click();
  await expect(page).toHaveURL(/settings/);
  await undo(page).click();
  await toast(page, 'Возвращено').getByRole('link', { name: 'Открыть' }).click();
  await expect(page).toHaveURL(/\/posts\//);
  await expect(cardOf(page, 'вторая')).toBeVisible();
});

test(
  'a deletion that could not be taken back can be again, in time',
  nightly,
  async ({ page, context, ownWall, pageErrors }) => {
    pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, /ERR_CONNECTION_RESET/, /404/);
    await holdToasts(page);
    const ids = await enterWithThree(page, ownWall);
    await remove(page, 'вторая');
    await expect(undo(page)).toBeVisible();
    await context.setOffline(true);
    await undo(page).click();
    await expect(undo(page, 'Нет соединения')).toBeVisible();
    await context.setOffline(false);
    await dropNextResponse(page, 'POST', /\/restoration$/);
    await undo(page, 'Нет соединения').click();
    await undo(page, 'Сервер не отвечает').click();
    await expectTexts(page, all);
    await openPage(page, ownWall.url);
    await remove(page, 'вторая');
    await expect(undo(page)).toBeVisible();
    await ownWall.seed.purge(ids[1]!);
    await undo(page).click();
    await expect(toast(page, 'Вернуть уже нельзя')).toBeVisible();
    await expectTexts(page, ['третья', 'первая']);
  },
);
