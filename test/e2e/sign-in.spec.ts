import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { openPage, reloadPage } from './support/app.ts';
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
  signOut,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('an unknown address creates an account', async ({ page, wall, mail, pageErrors }) => {
  // The response for an unknown address.
  pageErrors.expect(/400/);
  const email = newAddress();
  await openDialog(page, wall.url);
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await expect(dialog(page)).toContainText(
    `Учётной записи с адресом ${email} ещё нет. Продолжите, чтобы создать её: код придёт на эту почту.`,
  );
  await expect(button(page, 'Продолжить')).toBeFocused();

  await button(page, 'Вернуться').click();
  await expect(emailField(page)).toHaveValue(email);
  await button(page, 'Получить код').click();
  await button(page, 'Продолжить').click();
  await expect(dialog(page)).toContainText(`Код отправлен на ${email}`);
  await codeField(page).fill(await mail.codeTo(email));

  await expect(profileLink(page)).toBeVisible();
  const name = await profileLink(page).innerText();
  await profileLink(page).click();
  await expect(page).toHaveURL('/settings');
  await expect(page.getByRole('main')).toContainText(email);
  await expect(page.getByRole('main')).toContainText(name);
});

test('a known person signs in on the same page, stays signed in and signs out', async ({ page, wall, mail }) => {
  const person = await newPerson(wall);
  const address = `${wall.url}/posts/${wall.ids.discussed}`;
  await signIn(page, mail, address, person);
  await expect(page).toHaveURL(address);
  await expect(dialog(page)).toBeHidden();
  await page.reload();
  await expect(profileLink(page)).toHaveText(person.name);

  await signOut(page);
  await expect(page).toHaveURL('/');
  await reloadPage(page);
  await expect(signInButton(page)).toBeVisible();
  expect(await page.context().cookies()).not.toContainEqual(expect.objectContaining({ name: 'session' }));
});

test('Enter submits each step, and the address may have capitals and surrounding spaces', async ({
  page,
  wall,
  mail,
}) => {
  const { name, email } = await newPerson(wall);
  await openDialog(page, wall.url);
  await page.keyboard.type(` ${email.toUpperCase()} `);
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
});

test('an invalid address is reported on Enter and on blur', async ({ page, wall }) => {
  await openDialog(page, wall.url);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('Введите email');
  await emailField(page).fill('anna@example');
  await emailField(page).blur();
  await expect(dialog(page).getByRole('alert')).toHaveText('Введите корректный email');
  await expect(button(page, 'Получить код')).toBeDisabled();
});

test('a double click sends one request', async ({ page, wall, mail }) => {
  const { email } = await newPerson(wall);
  const starts = requestsOf(page, '/api/v1/logins');
  await openDialog(page, wall.url);
  await emailField(page).fill(email);
  await button(page, 'Получить код').dblclick();
  await mail.codeTo(email);
  await expect(codeField(page)).toBeFocused();
  expect(starts).toHaveLength(1);
});

test('a reload returns to the code step', async ({ page, wall, mail }) => {
  const { name, email } = await newPerson(wall);
  await openDialog(page, wall.url);
  await askForCode(page, email);
  await page.reload();
  await expect(dialog(page)).toContainText(`Код отправлен на ${email}`);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
});

test('the address can be changed at the code step', async ({ page, wall, mail }) => {
  const [mistaken, meant] = [await newPerson(wall), await newPerson(wall)];
  await openDialog(page, wall.url);
  await askForCode(page, mistaken.email);
  await button(page, 'Изменить адрес').click();
  await expect(emailField(page)).toHaveValue(mistaken.email);
  await askForCode(page, meant.email);
  await codeField(page).fill(await mail.codeTo(meant.email));
  await expect(profileLink(page)).toHaveText(meant.name);
});

for (const hours of [1, -1]) {
  test(`a clock that is wrong by ${hours} h. causes no error`, async ({ page, wall, mail }) => {
    await page.clock.setSystemTime(Date.now() + hours * 3_600_000);
    const person = await newPerson(wall);
    await signIn(page, mail, wall.url, person);
    const renewals = requestsOf(page, '/api/v1/sessions/current');
    await page.getByRole('link', { name: 'boris_petrov' }).first().click();
    await expect(page).toHaveTitle('boris_petrov - Стена');
    expect(renewals).toEqual([]);
    await signOut(page);
  });
}

test('a visitor sends no session request', async ({ page, wall }) => {
  const calls = requestsOf(page, '/api/v1/');
  await openPage(page, wall.url);
  await expect.poll(() => calls).toContain('GET /api/v1/events');
  await page.waitForTimeout(5 * limits.scrollLoadMs);
  expect(calls).toEqual(['GET /api/v1/events']);
});

function requestsOf(page: Page, path: string): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith(path)) requests.push(`${request.method()} ${pathname}`);
  });
  return requests;
}
