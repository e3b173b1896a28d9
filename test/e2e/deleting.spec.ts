import type { Page } from '@playwright/test';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { articles, cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, menuButton, toast } from './support/writing.ts';
import type { Wall } from './support/wall.ts';

test('a deleted post leaves the feed, and the next post gets the focus', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await choose(page, 'вторая', 'Удалить');
  await expect(page.getByRole('dialog', { name: 'Удалить запись?' })).toBeVisible();
  await expect(choice(page, 'Отмена')).toBeFocused();
  await expect(page.getByRole('dialog').getByRole('blockquote')).toHaveText('вторая');
  const danger = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--danger)';
    return getComputedStyle(probe).color;
  });
  await expect(choice(page, 'Удалить')).toHaveCSS('color', danger);
  await expect(choice(page, 'Удалить')).toHaveCSS('border-block-start-color', danger);
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

test('the next post gets the focus, however late the dialog closes, and a slow double click reaches nothing covered', async ({
  page,
  ownWall,
}) => {
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
  await expect(toast(page, 'Удалено')).toBeVisible();
  await expect(cardOf(page, 'третья')).toHaveCount(0);
  await expect(cardOf(page, 'первая')).toBeFocused();
  // The next click counts again.
  await cardOf(page, 'первая').click();
  await expect(page).toHaveURL(/\/posts\//);
});

test('deleting the open post returns to the feed, and Back does not lead to it', async ({ page, ownWall }) => {
  await enterWithThree(page, ownWall);
  await cardOf(page, 'первая').locator('time[title]').click();
  await expect(page).toHaveURL(/\/posts\//);
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await choose(page, 'первая', 'Удалить');
  await choice(page, 'Удалить').click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(toast(page, 'Удалено')).toBeVisible();
  await expect(articles(page)).toContainText(['третья', 'вторая']);
  await page.goBack();
  await expect(articles(page)).toContainText(['третья', 'вторая']);
});

/** Signs in a person with three posts. */
async function enterWithThree(page: Page, wall: Wall): Promise<number[]> {
  const person = await newPerson(wall);
  const ids = await wall.seed.posts(['первая', 'вторая', 'третья'].map((text) => ({ by: person.id, text })));
  await restoreSession(page, wall, person);
  return ids;
}
