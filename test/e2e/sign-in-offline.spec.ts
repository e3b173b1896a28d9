import { openPage } from './support/app.ts';
import {
  askForCode,
  button,
  codeField,
  dialog,
  emailField,
  newAddress,
  newPerson,
  openDialog,
  profileLink,
  signIn,
  signInButton,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const noConnection = 'Нет соединения. Проверьте сеть и попробуйте ещё раз.';

test('the address and the code: the input stays and can be sent later', async ({
  page,
  context,
  wall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  const { name, email } = await newPerson(wall);
  const alert = dialog(page).getByRole('alert');
  await openDialog(page, wall.url);
  await emailField(page).fill(email);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('client-token'))).not.toBeNull();

  await context.setOffline(true);
  await button(page, 'Получить код').click();
  await expect(alert).toHaveText(noConnection);
  await expect(emailField(page)).toHaveValue(email);
  await context.setOffline(false);
  await askForCode(page, email);
  const code = await mail.codeTo(email);

  await context.setOffline(true);
  await codeField(page).fill(code);
  await expect(alert).toHaveText(noConnection);
  await expect(codeField(page)).toHaveValue(code);
  await context.setOffline(false);
  await button(page, 'Продолжить').click();
  await expect(profileLink(page)).toHaveText(name);
});

test('the offer of registration', async ({ page, context, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  const email = newAddress();
  await openDialog(page, wall.url);
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await expect(button(page, 'Продолжить')).toBeFocused();
  await context.setOffline(true);
  await button(page, 'Продолжить').click();
  await expect(dialog(page).getByRole('alert')).toHaveText(noConnection);
  await context.setOffline(false);
  await button(page, 'Продолжить').click();
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toBeVisible();
});

test('the network fails before the dialog is opened', async ({ page, context, wall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  const { name, email } = await newPerson(wall);
  await openPage(page, wall.url);
  await context.setOffline(true);
  await signInButton(page).click();
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await expect(dialog(page).getByRole('alert')).not.toBeEmpty();
  await expect(emailField(page)).toHaveValue(email);
  await context.setOffline(false);
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
});

test('a signed-in person stays signed in', async ({ page, context, wall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  const person = await newPerson(wall);
  await signIn(page, mail, wall.url, person);
  await context.setOffline(true);
  await profileLink(page).click();
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(noConnection);
  await expect(profileLink(page)).toHaveText(person.name);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(signInButton(page)).toBeVisible();
});

test('the session request is retried until the network returns', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const person = await newPerson(wall);
  await signIn(page, mail, wall.url, person);
  const renewal = '**/api/v1/sessions/current';
  await page.route(renewal, (route) => route.abort('connectionreset'));
  const failed = page.waitForEvent('requestfailed');
  await page.reload();
  await failed;
  await expect(signInButton(page)).toBeHidden();
  await page.unroute(renewal);
  await expect(profileLink(page)).toHaveText(person.name, { timeout: 10_000 });
});
