import { askForCode, button, codeField, dialog, newPerson, openDialog, profileLink } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('mail that the mail server has accepted', async ({ page, wall, mail }) => {
  const { name, email } = await newPerson(wall);
  await openDialog(page, wall.url);
  await askForCode(page, email);
  await expect(dialog(page).getByRole('status')).toContainText('Письмо принято почтовым сервером.');
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
});

test('mail in delivery', async ({ page, wall }) => {
  const { email } = await newPerson(wall);
  await page.route('**/api/v1/mail/**', (route) => route.fulfill({ json: { state: 'sending' } }));
  await openDialog(page, wall.url);
  await askForCode(page, email);
  await expect(dialog(page).getByRole('status')).toHaveText('Отправляем письмо…');
  await expect(dialog(page)).toContainText(`Код придёт на ${email}`);
  await expect(dialog(page)).not.toContainText('Код отправлен');
});

test('mail that the mail server rejects', async ({ page, wall, mail }) => {
  const { email } = await newPerson(wall);
  mail.refuse((recipient) => (recipient === email ? 550 : undefined));
  await openDialog(page, wall.url);
  await askForCode(page, email);
  await expect(dialog(page).getByRole('status')).toHaveText('Этот адрес не принимает почту. Проверьте его.');
  await expect(dialog(page)).toContainText(`Не удалось отправить код на ${email}`);
  await expect(dialog(page)).not.toContainText('Код отправлен');
  await expect(button(page, 'Изменить адрес')).toBeEnabled();
});

test('delayed mail is delivered in the end', async ({ page, wall, mail }) => {
  const { name, email } = await newPerson(wall);
  mail.refuse((recipient) => (recipient === email ? 451 : undefined));
  await openDialog(page, wall.url);
  await askForCode(page, email);
  const state = dialog(page).getByRole('status');
  await expect(state).toHaveText('Почтовый сервер пока не принял письмо. Пробуем ещё, код придёт чуть позже.');
  mail.refuse(undefined);
  await expect(state).toContainText('Письмо принято почтовым сервером.', { timeout: 15_000 });
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
});
