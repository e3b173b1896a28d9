import { limits } from '#contract/limits.ts';
import { reloadPage } from './support/app.ts';
import { articles, cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import {
  callsOf,
  choice,
  signInNewPerson,
  dropNextResponse,
  newPostButton,
  publish,
  textField,
  toast,
} from './support/writing.ts';

const posts = /\/api\/v1\/posts$/;

test('a published post is at the top of the feed, and «Смотреть» leads to it', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts([{ by, text: 'Старая запись', age: 60 }]);
  const { name } = await signInNewPerson(page, ownWall);
  await publish(page, '  Первая запись\r\nв две строки  ');

  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(newPostButton(page)).toBeFocused();
  await expect(articles(page)).toHaveCount(2);
  await expect(articles(page).first()).toContainText('Первая запись\nв две строки');
  await expect(articles(page).first()).toContainText(name);
  await toast(page, 'Опубликовано').getByRole('link', { name: 'Смотреть' }).click();
  await expect(page).toHaveURL(/\/posts\/\d+$/);
  await expect(page.getByRole('main')).toContainText('Первая запись');
  await expect(toast(page, 'Опубликовано')).toBeHidden();
});

test('the counter appears near the limit, and an empty or too long text cannot be sent', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await newPostButton(page).click();
  const dialog = page.getByRole('dialog');
  const send = choice(page, 'Опубликовать');
  await expect(textField(page)).toBeFocused();
  await expect(send).toBeDisabled();
  await textField(page).fill(' \n ');
  await expect(send).toBeDisabled();

  await textField(page).fill('ж'.repeat(limits.postLength - limits.postCounterFrom - 1));
  await expect(dialog).not.toContainText('Осталось');
  await textField(page).fill('😀'.repeat(limits.postLength - limits.postCounterFrom));
  await expect(dialog).toContainText('Осталось символов: 50');
  await expect(send).toBeEnabled();
  await textField(page).fill('ж'.repeat(limits.postLength + 7));
  await expect(dialog).toContainText('−7');
  await expect(dialog.getByRole('alert').first()).toHaveText('Текст длиннее 500 символов. Сократите его.');
  await expect(send).toBeDisabled();
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeVisible();
});

test('works by keyboard alone', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await newPostButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(textField(page)).toBeFocused();
  await page.keyboard.insertText('Одна строка');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('и ещё одна');
  await page.keyboard.press('Control+Enter');
  await expect(articles(page)).toContainText(['Одна строка\nи ещё одна']);
  await expect(newPostButton(page)).toBeFocused();
});

test('a double click sends once', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  const calls = callsOf(page, 'POST', posts);
  await newPostButton(page).click();
  await textField(page).fill('Один раз');
  await choice(page, 'Опубликовать').dblclick();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
  expect(calls).toHaveLength(1);
  await expect(articles(page)).toHaveCount(1);
});

test('a lost response: sending again publishes once', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await signInNewPerson(page, ownWall);
  const calls = callsOf(page, 'POST', posts);
  await dropNextResponse(page, 'POST', posts);
  await newPostButton(page).click();
  await textField(page).fill('Не дважды');
  await choice(page, 'Опубликовать').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения. Проверьте сеть и попробуйте ещё раз.');
  await expect(textField(page)).toHaveValue('Не дважды');

  // A reload in between does not lose the idempotency key.
  await reloadPage(page);
  await newPostButton(page).click();
  await expect(textField(page)).toHaveValue('Не дважды');
  await choice(page, 'Опубликовать').click();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
  expect(calls).toHaveLength(2);
  await page.reload();
  await expect(articles(page)).toHaveCount(1);
});

test('offline: the text stays and can be sent later', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await signInNewPerson(page, ownWall);
  await newPostButton(page).click();
  await textField(page).fill('Из метро');
  await context.setOffline(true);
  await choice(page, 'Опубликовать').click();
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await context.setOffline(false);
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, 'Из метро')).toBeVisible();
});

test('shows a failure as a toast after the dialog was closed, and stores the text', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await signInNewPerson(page, ownWall);
  let cut = () => {};
  const untilCut = new Promise<void>((resolve) => (cut = resolve));
  await page.route(posts, async (route) => {
    await untilCut;
    await route.abort('connectionreset');
  });
  await newPostButton(page).click();
  await textField(page).fill('Закрыто на полпути');
  await choice(page, 'Опубликовать').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  cut();
  await expect(toast(page, 'Нет соединения')).toBeVisible();
  await newPostButton(page).click();
  await expect(textField(page)).toHaveValue('Закрыто на полпути');
});

test('a second submission during the first does not add a second post', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  const releases: (() => void)[] = [];
  await page.route(posts, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await new Promise<void>((resolve) => releases.push(resolve));
    await route.continue();
  });
  for (let turn = 1; turn <= 2; turn += 1) {
    await newPostButton(page).click();
    await textField(page).fill('Дважды');
    await choice(page, 'Опубликовать').click();
    await expect.poll(() => releases.length).toBe(turn);
    if (turn === 1) await page.keyboard.press('Escape');
  }
  for (const release of releases) release();
  await expect(page.getByRole('dialog')).toContainText(/Пост\sс\sid=\d+\sуже существует/);
  await expect(articles(page)).toHaveCount(1);
});

test.describe('with the usual limits', () => {
  test.use({ settings: { RATE_LIMITS: 'on' } });

  test('rate limit: shows when to retry', async ({ page, ownWall, pageErrors }) => {
    pageErrors.expect(/429/);
    await signInNewPerson(page, ownWall);
    for (let number = 1; number <= 5; number += 1) await publish(page, `Запись номер ${number}`);
    await newPostButton(page).click();
    await textField(page).fill('Лишняя');
    await choice(page, 'Опубликовать').click();
    await expect(page.getByRole('dialog')).toContainText(/Повторить можно через \d+\s(сек|мин)\./);
    await expect(textField(page)).toHaveValue('Лишняя');
  });
});

test('reports when the composer fails to load, and loads it on retry', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const code = '**/assets/post-form-*.js';
  await page.route(code, (route) => route.abort('connectionreset'));
  const failed = page.waitForEvent('requestfailed');
  await signInNewPerson(page, ownWall);
  await failed;
  await newPostButton(page).click();
  await expect(page.getByRole('dialog')).toContainText('Не удалось загрузить.');
  await page.unroute(code);
  await choice(page, 'Повторить').click();
  await expect(textField(page)).toBeFocused();
});
