import { openPage } from './support/app.ts';
import {
  askForCode,
  button,
  codeField,
  dialog,
  emailField,
  newPerson,
  profileLink,
  signIn,
  signInButton,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

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

test('the session request is retried until the network returns', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const person = await newPerson(wall);
  await signIn(page, mail, wall.url, person);
  const renewal = '**/api/v1/sessions/current';
  await page.route(renewal, (route) => route.abort('connectionreset'));
  // The reload also aborts requests of the page that is left.
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/sessions/current'));
  await page.reload();
  await failed;
  await expect(signInButton(page)).toBeHidden();
  await page.unroute(renewal);
  await expect(profileLink(page)).toHaveText(person.name, { timeout: 10_000 });
});
