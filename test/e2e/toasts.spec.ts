import type { Page } from '@playwright/test';
import { errors } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { openPage } from './support/app.ts';
import { texts } from './support/populated-wall.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import { choice, choose, newPostButton, signInNewPerson, textField, toast } from './support/writing.ts';

const copied = (page: Page) => toast(page, 'Ссылка скопирована');

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.clock.install();
});

/** Stops the clock. From now on only `runFor` moves it. */
const stopClock = (page: Page) => page.clock.pauseAt(Date.now() + 60_000);

test('a toast stays while it is hovered and while its link has the focus', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await newPostButton(page).click();
  await textField(page).fill('Запись');
  await stopClock(page);
  await choice(page, 'Опубликовать').click();
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
  await stopClock(page);
  await choose(page, texts.lines, 'Скопировать ссылку');
  await expect(copied(page)).toBeVisible();
  await choose(page, texts.lines, 'Пожаловаться');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.clock.runFor(limits.toastMs + 500);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(copied(page)).toBeVisible();
  // The time of the toast runs again a moment after the dialog is hidden.
  await expect(async () => {
    await page.clock.runFor(limits.toastMs);
    await expect(copied(page)).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await page.clock.runFor(limits.toastPauseMs);

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
  await page.addInitScript(() => void Reflect.deleteProperty(window, 'navigation'));
  await openPage(page, '/');
  await stopClock(page);
  await choose(page, texts.lines, 'Скопировать ссылку');
  await expect(copied(page)).toBeVisible();
  await page.clock.runFor(1_000);
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Лента' }).click();
  await loaded;
  await expect(copied(page)).toBeVisible();
  await page.clock.runFor(limits.toastMs - 1_500);
  await expect(copied(page)).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(copied(page)).toBeHidden();
});

test('where links load whole pages, the next page takes a deletion back', async ({ page, ownWall }) => {
  await page.addInitScript(() => void Reflect.deleteProperty(window, 'navigation'));
  const { id: by } = await signInNewPerson(page, ownWall);
  const [id] = await ownWall.seed.posts(['первая', 'вторая'].map((text) => ({ by, text })));
  await openPage(page, `${ownWall.url}/posts/${id}`);
  await choose(page, 'первая', 'Удалить');
  await stopClock(page);
  await choice(page, 'Удалить').click();
  // The page is left by timers.
  await expect(async () => {
    await page.clock.runFor(100);
    expect(page.url()).toBe(`${ownWall.url}/`);
  }).toPass();
  await toast(page, 'Удалено').getByRole('button', { name: 'Вернуть' }).click();
  await expectTexts(page, ['вторая', 'первая']);
});

test('a toast has two lines at most on a phone', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/429|503/);
  await page.setViewportSize(phone);
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts([{ by, text: 'Купите слона' }]);
  await ownWall.seed.appoint(await signInNewPerson(page, ownWall));
  await openPage(page, ownWall.url);
  await stopClock(page);
  const linesOf = async (text: string): Promise<number> => {
    await expect(toast(page, text)).toBeVisible();
    return toast(page, text)
      .getByRole('paragraph')
      .evaluate((message) => {
        const range = document.createRange();
        range.selectNodeContents(message.firstChild!);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
  };

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    document.execCommand = () => false;
  });
  await choose(page, 'Купите слона', 'Скопировать ссылку');
  expect(await linesOf('Не удалось скопировать')).toBeLessThanOrEqual(2);
  await page.clock.runFor(limits.toastMs + limits.toastPauseMs);

  const json = { code: 'TOO_MANY_REQUESTS', message: errors.TOO_MANY_REQUESTS.message };
  await page.route(/\/likes$/, (route) => route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json }));
  await page.getByRole('button', { name: 'Нравится' }).first().click();
  expect(await linesOf('Слишком много')).toBeLessThanOrEqual(2);
  await page.clock.runFor(limits.toastMs + limits.toastPauseMs);

  await choose(page, 'Купите слона', 'Убрать со стены…');
  await choice(page, 'Оскорбления и травля').click();
  expect(await linesOf('Убрано со стены')).toBeLessThanOrEqual(2);

  for (const [code, said] of [
    ['UNAVAILABLE', 'Сервис временно недоступен'],
    ['TOO_MANY_REQUESTS', 'Слишком много'],
  ] as const) {
    const failure = { status: errors[code].status, headers: { 'retry-after': '40' }, json: { code, ...errors[code] } };
    await page.route(/\/undo$/, (route) => route.fulfill(failure));
    await page.getByRole('status').getByRole('button').click();
    await page.clock.runFor(limits.toastPauseMs);
    expect(await linesOf(said)).toBeLessThanOrEqual(2);
  }
});

test('a like that fails says the general sentence, or how long to wait', async ({ page, pageErrors, ownWall }) => {
  pageErrors.expect(/400/, /403/, /429/, /500/);
  await ownWall.seed.posts([{ by: await ownWall.seed.person('galina_m'), text: 'Запись' }]);
  await signInNewPerson(page, ownWall);
  await stopClock(page);
  const general = 'Что-то пошло не так. Попробуйте ещё раз.';
  for (const [status, code, said] of [
    [500, 'INTERNAL', general],
    [403, 'FORBIDDEN', general],
    [400, 'INVALID_REQUEST', general],
    [429, 'TOO_MANY_REQUESTS', 'Слишком много запросов. Повторить можно через 40 сек.'],
  ] as const) {
    const json = { code, message: errors[code].message };
    await page.route(/\/likes$/, (route) => route.fulfill({ status, headers: { 'retry-after': '40' }, json }), {
      times: 1,
    });
    await page.getByRole('button', { name: 'Нравится' }).first().click();
    await expect(toast(page, said).getByRole('paragraph')).toHaveText(said);
    await page.clock.runFor(limits.toastMs + limits.toastPauseMs);
  }
});
