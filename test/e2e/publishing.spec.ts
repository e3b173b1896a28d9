import { reloadPage } from './support/app.ts';
import { articles } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import {
  callsOf,
  choice,
  signInNewPerson,
  dropNextResponse,
  newPostButton,
  textField,
  toast,
} from './support/writing.ts';

const posts = /\/api\/v1\/posts$/;

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
