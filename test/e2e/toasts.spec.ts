import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { openPage } from './support/app.ts';
import { articles } from './support/feed.ts';
import { texts } from './support/populated-wall.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, signInNewPerson, publish, toast } from './support/writing.ts';

const copied = (page: Page) => toast(page, 'Ссылка скопирована');

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // It goes on by itself, and `runFor` takes it further.
  await context.clock.install();
});

test('the next toast replaces the one that is shown after a pause, and is shown for its full time', async ({
  page,
}) => {
  await openPage(page, '/');
  await page.evaluate(() => {
    const changes: [shown: boolean, at: number][] = [];
    Object.assign(window, { changes });
    const region = [...document.querySelectorAll('[role=status]')].at(-1)!;
    new MutationObserver(() => changes.push([region.textContent !== '', performance.now()])).observe(region, {
      childList: true,
    });
  });
  await choose(page, texts.lines, 'Скопировать ссылку');
  await choose(page, texts.links, 'Скопировать ссылку');
  await page.clock.runFor(limits.toastPauseMs + limits.toastMs);
  const read = () => page.evaluate(() => (window as unknown as { changes: [boolean, number][] }).changes);
  await expect.poll(async () => (await read()).length, { timeout: 15_000 }).toBe(4);
  const changes = await read();
  expect(changes.map(([shown]) => shown)).toEqual([true, false, true, false]);
  const times = changes.map(([, at]) => at);
  const lasted = [times[2]! - times[1]!, times[3]! - times[2]!];
  for (const [index, ms] of [limits.toastPauseMs, limits.toastMs].entries()) {
    expect(lasted[index]).toBeGreaterThan(ms - 50);
    expect(lasted[index]).toBeLessThan(ms + 400);
  }
});

test('a toast stays while it is hovered and while its link has the focus', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await publish(page, 'Запись');
  const link = toast(page, 'Опубликовано').getByRole('link');
  await link.hover();
  await page.clock.runFor(limits.toastMs + 500);
  await link.focus();
  await page.mouse.move(300, 300);
  await page.clock.runFor(limits.toastMs + 500);
  await expect(link).toBeVisible();
  await link.blur();
  await page.clock.runFor(limits.toastMs);
  await expect(link).toBeHidden();
});

test('a toast waits until the dialog is closed, and is above the bottom bar of a phone', async ({ page }) => {
  await openPage(page, '/');
  await choose(page, texts.lines, 'Скопировать ссылку');
  await choose(page, texts.lines, 'Пожаловаться');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.clock.runFor(limits.toastMs + 500);
  await page.keyboard.press('Escape');
  await expect(copied(page)).toBeVisible();
  await page.clock.runFor(limits.toastMs);
  await expect(copied(page)).toBeHidden();

  await page.setViewportSize(phone);
  await choose(page, texts.lines, 'Скопировать ссылку');
  const message = copied(page).getByRole('paragraph');
  await message.evaluate((it) => Promise.all(it.getAnimations({ subtree: true }).map(({ finished }) => finished)));
  const box = (await message.boundingBox())!;
  const bar = (await page.getByRole('navigation', { name: 'Нижняя панель' }).boundingBox())!;
  expect(box.y + box.height).toBeLessThan(bar.y);
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(phone.width);
});

test('where links load whole pages the next page shows the toast for its remaining time', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'navigation');
    addEventListener('DOMContentLoaded', () => {
      const shown: number[] = [];
      Object.assign(window, { shown });
      const look = () => {
        if (document.body.textContent.includes('Ссылка скопирована')) shown.push(performance.now());
        requestAnimationFrame(look);
      };
      look();
    });
  });
  await openPage(page, '/');
  await choose(page, texts.lines, 'Скопировать ссылку');
  await expect(copied(page)).toBeVisible();
  await page.clock.runFor(2_000);
  await page.getByRole('link', { name: 'Лента' }).click();
  await page.waitForURL('/');
  await expect(copied(page)).toBeVisible();
  await expect(copied(page)).toBeHidden();
  const shown = await page.evaluate(() => (window as unknown as { shown: number[] }).shown);
  expect(shown.at(-1)! - shown[0]!).toBeLessThan(limits.toastMs - 1_500);
});

test('where links load whole pages, the next page takes a deletion back', async ({ page, ownWall }) => {
  await page.addInitScript(() => void Reflect.deleteProperty(window, 'navigation'));
  const { id: by } = await signInNewPerson(page, ownWall);
  const [id] = await ownWall.seed.posts(['первая', 'вторая'].map((text) => ({ by, text })));
  await openPage(page, `${ownWall.url}/posts/${id}`);
  await choose(page, 'первая', 'Удалить');
  await choice(page, 'Удалить').click();
  await page.waitForURL(`${ownWall.url}/`);
  await toast(page, 'Удалено').getByRole('button', { name: 'Вернуть' }).click();
  await expect(articles(page)).toContainText(['вторая', 'первая']);
});
