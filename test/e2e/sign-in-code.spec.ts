import type { Page } from '@playwright/test';
import type { MailServer } from '../kit/smtp.ts';
import {
  askForCode,
  button,
  codeField,
  dialog,
  emailField,
  newAddress,
  newPerson,
  openDialog,
  type Person,
  profileLink,
  useUpTries,
  wrong,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

const resend = /^Отправить код ещё раз/;

interface Awaited {
  person: Person;
  code: string;
}

async function awaitCode(page: Page, wall: Wall, mail: MailServer): Promise<Awaited> {
  const person = await newPerson(wall);
  await openDialog(page, wall.url);
  await askForCode(page, person.email);
  return { person, code: await mail.codeTo(person.email) };
}

test('a wrong code is reported and selected, so that typing replaces it', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  const { person, code } = await awaitCode(page, wall, mail);
  await page.keyboard.type(wrong(code));
  await expect(dialog(page).getByRole('alert')).toHaveText('Неверный код. Проверьте его и введите ещё раз.');
  await expect.poll(() => selection(page)).toBe(wrong(code));
  await page.keyboard.type(code);
  await expect(profileLink(page)).toHaveText(person.name);
});

test('leading zeros are part of a code', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await awaitCode(page, wall, mail);
  const sent = page.waitForRequest('**/verify');
  await page.keyboard.type('000042');
  expect((await sent).postDataJSON()).toMatchObject({ confirmCode: '000042' });
  await expect(codeField(page)).toHaveValue('000042');
  await expect(dialog(page).getByRole('alert')).toContainText('Неверный код.');
});

test('pasting finds the code in the surrounding text', async ({ page, context, wall, mail }) => {
  await context.grantPermissions(['clipboard-write']);
  const { person, code } = await awaitCode(page, wall, mail);
  const text = `код ${code.slice(0, 2)}-${code.slice(2, 4)} ${code.slice(4)}`;
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press('ControlOrMeta+V');
  await expect(profileLink(page)).toHaveText(person.name);
});

test.describe('with a short pause between codes', () => {
  test.use({ settings: { CODE_RESEND_SECONDS: '2' } });

  test('a code is invalid after five wrong tries; one tap requests another', async ({
    page,
    ownWall,
    mail,
    pageErrors,
  }) => {
    pageErrors.expect(/400/);
    const { person, code } = await awaitCode(page, ownWall, mail);
    await useUpTries(page, code, dialog(page).getByRole('alert'));
    await newCode(page, mail, person);
  });

  test('a code can be requested again after the countdown', async ({ page, ownWall, mail }) => {
    const { person } = await awaitCode(page, ownWall, mail);
    await expect(button(page, resend)).toBeDisabled();
    await expect(button(page, resend)).toHaveText(/через\s[12]\sсек\.$/);
    await newCode(page, mail, person);
  });
});

test.describe('with codes that expire soon', () => {
  test.use({ settings: { CODE_RESEND_SECONDS: '1', CODE_TTL_SECONDS: '3' } });

  test('reports an expired code and requests a new one with one tap', async ({ page, ownWall, mail, pageErrors }) => {
    pageErrors.expect(/400/);
    const { person, code } = await awaitCode(page, ownWall, mail);
    await page.waitForTimeout(4_000);
    await codeField(page).fill(code);
    await expect(dialog(page).getByRole('alert')).toHaveText('Код больше не действует. Запросите новый.');
    await newCode(page, mail, person);
  });
});

test('the wait from a 429 response counts down without repeated announcements', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/429/);
  await page.route('**/api/v1/logins', (route) => {
    const json = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
    return route.fulfill({ status: 429, headers: { 'retry-after': '4' }, json });
  });
  await openDialog(page, wall.url);
  await emailField(page).fill(newAddress());
  await button(page, 'Получить код').click();
  const alert = dialog(page).getByRole('alert');
  await expect(alert).toContainText('через 4 сек.');
  await expect(alert).toContainText(/через\s[12]\sсек\./);
  await expect(alert).toMatchAriaSnapshot('- alert: Слишком много запросов. Повторить можно через 4 сек.');
  await expect(alert).toContainText('Повторить можно уже сейчас.');
});

async function newCode(page: Page, mail: MailServer, { name, email }: Person): Promise<void> {
  await expect(button(page, resend)).toBeEnabled();
  await button(page, resend).click();
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
}

function selection(page: Page): Promise<string> {
  return codeField(page).evaluate((field: HTMLInputElement) =>
    field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0),
  );
}

test('missing cookies are reported after the right code, and the dialog stays open', async ({
  page,
  context,
  wall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/401/);
  await page.route('**/api/v1/logins/*/verify', async (route) => {
    const response = await route.fetch();
    // The request has stored the cookie, too.
    await context.clearCookies();
    const { 'set-cookie': _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  const { code } = await awaitCode(page, wall, mail);
  await page.keyboard.type(code);
  await expect(dialog(page).getByRole('alert')).toContainText('браузер не сохраняет cookie');
  await expect(button(page, resend)).toBeVisible();
});

test('disabled cookies are reported before a code is sent', async ({ page, wall }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { value: false }));
  const { email } = await newPerson(wall);
  await openDialog(page, wall.url);
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await expect(dialog(page).getByRole('alert')).toContainText('браузер не сохраняет cookie');
});
