import { limits } from '#contract/limits.ts';
import { reloadPage } from './support/app.ts';
import { nothingMayExecute } from './support/hostile.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import {
  callsOf,
  choice,
  choose,
  publish,
  signInNewPerson,
  dropNextResponse,
  newPostButton,
  textField,
  toast,
} from './support/writing.ts';

const posts = /\/api\/v1\/posts$/;

test('works by keyboard, announces what is left and sends no text that is too long', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  const calls = callsOf(page, 'POST', posts);
  await newPostButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(textField(page)).toBeFocused();
  for (const [left, words] of [
    [51, ''],
    [50, 'Осталось символов: 50'],
    [21, 'Осталось символов: 50'],
    [20, 'Осталось символов: 20'],
    [9, 'Осталось символов: 9'],
    [1, 'Осталось символов: 9'],
    [0, 'Осталось символов: 0'],
    [-1, 'Лишних символов: 1'],
    [-7, 'Лишних символов: 1'],
  ] as const) {
    await textField(page).fill('ж'.repeat(limits.postLength - left));
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText(words);
  }
  await expect(page.getByRole('dialog').getByRole('alert').first()).toHaveText(
    /^Текст длиннее 500 символов\. Сократите/,
  );
  await page.keyboard.press('Control+Enter');
  await textField(page).fill('');
  await page.keyboard.insertText('Одна строка');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('и ещё одна');
  await page.keyboard.press('Control+Enter');
  await expectTexts(page, ['Одна строка\nи ещё одна']);
  await expect(newPostButton(page)).toBeFocused();
  expect(calls).toHaveLength(1);
});

test('a lost response: sending again, with a double click, publishes once', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  // The response to the second request has a post that is already in the feed.
  pageErrors.expect(/Пост с id=\d+ уже существует/);
  await signInNewPerson(page, ownWall);
  const calls = callsOf(page, 'POST', posts);
  await dropNextResponse(page, 'POST', posts);
  await newPostButton(page).click();
  await textField(page).fill('Не дважды');
  await choice(page, 'Опубликовать').click();
  await expect(page.getByRole('dialog')).toContainText('Сервер не отвечает. Попробуйте ещё раз чуть позже.');
  await expect(textField(page)).toHaveValue('Не дважды');

  // A reload in between does not lose the idempotency key.
  await reloadPage(page);
  await newPostButton(page).click();
  await expect(textField(page)).toHaveValue('Не дважды');
  await choice(page, 'Опубликовать').dblclick();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
  expect(calls).toHaveLength(2);
  await reloadPage(page);
  await expectTexts(page, ['Не дважды']);
});

test('refused or with the dialog closed, the text stays', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/429/, /ERR_CONNECTION_RESET/);
  await signInNewPerson(page, ownWall);
  const dialog = page.getByRole('dialog');
  const publish = choice(page, 'Опубликовать');
  await newPostButton(page).click();
  await textField(page).fill('Из метро');
  const json = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
  await page.route(posts, (route) => route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json }), {
    times: 1,
  });
  await publish.click();
  await expect(dialog).toContainText(/Повторить можно через \d+ сек\./);
  await expect(textField(page)).toHaveValue('Из метро');

  const closed = Promise.withResolvers<void>();
  await page.route(posts, (route) => closed.promise.then(() => route.abort('connectionreset')), { times: 1 });
  await publish.click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  closed.resolve();
  await expect(toast(page, 'Сервер не отвечает')).toBeVisible();
  await newPostButton(page).click();
  await expect(textField(page)).toHaveValue('Из метро');
  await publish.click();
  await expectTexts(page, ['Из метро']);
});

test.describe('hostile texts', () => {
  nothingMayExecute();

  test('published, quoted and edited appear as text', async ({ page, ownWall }) => {
    const [script, image] = ['<script>pwned()</script>', '"><img src=x onerror=pwned()>'];
    await signInNewPerson(page, ownWall);
    await publish(page, script);
    await page.getByRole('article').getByRole('button', { name: 'Ответить', exact: true }).click();
    await expect(page.getByRole('dialog').locator('blockquote')).toContainText(script);
    await page.keyboard.press('Escape');
    await choose(page, script, /Изменить/);
    await expect(textField(page)).toHaveValue(script);
    await textField(page).fill(image);
    await choice(page, 'Сохранить').click();
    await expect(page.getByRole('article')).toContainText(image);
    await newPostButton(page).click();
    await textField(page).fill(image);
    await reloadPage(page);
    await newPostButton(page).click();
    await expect(textField(page)).toHaveValue(image);
  });
});
