import type { Page } from '@playwright/test';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { dialogLeft, openPage, reloadPage } from './support/app.ts';
import { askForCode, codeField, dialog, newPerson } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { nothingMayExecute } from './support/nothing-may-execute.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, newPostButton, signInNewPerson, textField } from './support/writing.ts';

nothingMayExecute();
test.use({ viewport: phone });

const shared = 'Мост закрыт до мая https://news.example/most';

const opened = (page: Page) => page.getByRole('dialog', { name: 'Новая запись' });

test('what another app shares is in the composer, below what was written before, and nothing is published', async ({
  page,
  ownWall,
}) => {
  await signInNewPerson(page, ownWall);
  const sent = callsOf(page, 'POST', /^\/api\/v1\/posts$/);
  await newPostButton(page).click();
  await textField(page).fill('Начатое');
  await page.keyboard.press('Escape');
  await dialogLeft(page);

  await page.goto(ownWall.url + addresses.newPost.href({}, { text: shared }));
  await expect(opened(page)).toBeVisible();
  await expect(textField(page)).toHaveValue(`Начатое\n\n${shared}`);
  await expect(textField(page)).toBeFocused();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  // Neither a reload nor sharing it again adds it once more.
  await reloadPage(page);
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.goto(ownWall.url + addresses.newPost.href({}, { text: shared }));
  await expect(textField(page)).toHaveValue(`Начатое\n\n${shared}`);
  expect(sent).toEqual([]);
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, 'Мост закрыт')).toBeVisible();
  expect(sent).toHaveLength(1);
});

test('a visitor signs in first, and also one who has closed the dialog finds the text later', async ({
  page,
  ownWall,
  mail,
}) => {
  const { email } = await newPerson(ownWall);
  await page.goto(ownWall.url + addresses.newPost.href({}, { title: 'Афиша', text: 'Кино во дворе' }));
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await dialogLeft(page);
  await openPage(page, ownWall.url);
  await newPostButton(page).click();
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(opened(page)).toBeVisible();
  await expect(textField(page)).toHaveValue('Афиша\nКино во дворе');
});

test('a shared text that is too long says so and stays', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  const long = 'ж'.repeat(3 * limits.postLength);
  await page.goto(ownWall.url + addresses.newPost.href({}, { text: long }));
  await expect(textField(page)).toHaveValue(long);
  await expect(page.getByRole('dialog').getByRole('alert').first()).toHaveText(/Текст длиннее 500\sсимволов/);
  await expect(choice(page, 'Опубликовать')).toBeDisabled();
});

test('a hostile text stays text, and a link in the app opens the composer too', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  const hostile = '"><script>pwned()</script><img src=x onerror=pwned()>';
  const address = addresses.newPost.href({}, { title: `${hostile}\0`, url: 'javascript:pwned()' });
  await page.evaluate((address) => {
    const link = Object.assign(document.createElement('a'), { href: address, textContent: 'ссылка' });
    document.querySelector('main')!.prepend(link);
    link.click();
  }, address);
  await expect(textField(page)).toHaveValue(`${hostile}\njavascript:pwned()`);
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, hostile)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the shortcut opens an empty composer, and Back closes it', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await page.goto(ownWall.url + addresses.newPost.href());
  await expect(opened(page)).toBeVisible();
  await expect(textField(page)).toHaveValue('');
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(`${ownWall.url}/`);
});
