import { expectAccessible } from './support/accessible.ts';
import {
  askForCode,
  button,
  codeField,
  dialog,
  emailField,
  newAddress,
  newPerson,
  openDialog,
  signIn,
  wrong,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson } from './support/writing.ts';

test('the address field, empty and invalid', async ({ page, wall }) => {
  await openDialog(page, wall.url);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('Введите email');
  await expectAccessible(page);
});

test('the offer of registration, and the field of an invite code', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/);
  await openDialog(page, ownWall.url);
  await emailField(page).fill(newAddress());
  await button(page, 'Получить код').click();
  await expect(button(page, 'Продолжить')).toBeFocused();
  await expectAccessible(page);
  await ownWall.admin('registration', 'invite', '--reason', 'набежали');
  await button(page, 'Продолжить').click();
  await expect(page.getByRole('textbox', { name: 'Код приглашения' })).toBeFocused();
  await expectAccessible(page);
});

test('what moderators did: a removed post, the end of the session, and a refused sign-in', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/40[03]/);
  const { id, name, email } = await signInNewPerson(page, ownWall);
  const [post] = await ownWall.seed.posts([{ by: id, text: 'Выиграй миллион!' }]);
  await ownWall.admin('remove', `${post}`, '--reason', 'реклама');
  await page.goto(`${ownWall.url}/own/posts`);
  await expect(page.getByRole('region', { name: 'Убранное со стены' })).toBeVisible();
  await expectAccessible(page);
  await ownWall.admin('block', name, '--reason', 'реклама');
  await page.reload();
  const notice = page.getByRole('dialog', { name: 'Учётная запись заблокирована' });
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  await openDialog(page, ownWall.url);
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(dialog(page)).toContainText('реклама');
  await expectAccessible(page);
});

test('the code field, empty and wrong', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  const { email } = await newPerson(wall);
  await openDialog(page, wall.url);
  await askForCode(page, email);
  await expect(dialog(page).getByRole('status')).toContainText('Письмо принято');
  await expectAccessible(page);
  await codeField(page).fill(wrong(await mail.codeTo(email)));
  await expect(dialog(page).getByRole('alert')).toContainText('Неверный код');
  await expectAccessible(page);
});

test('the feed and the settings of a signed-in person', async ({ page, wall, mail }) => {
  await signIn(page, mail, wall.url, await newPerson(wall));
  await expectAccessible(page);
  await page.goto(`${wall.url}/settings`);
  await expect(page.getByRole('button', { name: 'Выйти' })).toBeVisible();
  await expectAccessible(page);
});
