import type { Page } from '@playwright/test';
import { mainButton, newEmailField, openAs, paths, problem, row } from './support/account.ts';
import { codeField, newAddress, newPerson, profileLink, useUpTries, wrong } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf, dropNextResponse, toast } from './support/writing.ts';

const start = /\/users\/current\/email$/;
const verify = /\/users\/current\/email\/[^/]+\/verify$/;
const resend = /^Отправить код ещё раз/;

async function askForCode(page: Page, email: string): Promise<void> {
  await newEmailField(page).fill(email);
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeFocused();
}

async function expectChanged(page: Page, email: string): Promise<void> {
  await expect(toast(page, 'Адрес изменён')).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(row(page, 'Электронная почта')).toContainText(email);
}

test('a code confirms the new address, and the old one is notified', async ({ page, context, wall, mail }) => {
  const person = await openAs(page, wall, paths.settings);
  const other = await context.newPage();
  await other.goto(wall.url + paths.settings);
  await row(page, 'Электронная почта').click();
  await expect(page).toHaveTitle('Электронная почта - Стена');
  await expect(page.getByRole('form', { name: 'Изменить электронную почту' })).toContainText(person.email);
  await expect(mainButton(page, 'Получить код')).toBeDisabled();

  const email = newAddress();
  await askForCode(page, email);
  await expect(page.getByRole('main')).toContainText(`Код отправлен на ${email}`);
  await codeField(page).fill(await mail.codeTo(email));
  await expectChanged(page, email);
  await expect(row(other, 'Электронная почта')).toContainText(email);
  const notice = await mail.mailTo(person.email, ({ text }) => text.includes('адрес вашей учётной записи'));
  expect(notice.text).toContain(`${email[0]}***@example.org`);
  expect(notice.text).toContain(`${wall.url}/undo-email?token=`);

  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).not.toHaveURL(/\/email$/);
});

test('reports an invalid address as the sign-in form does', async ({ page, wall }) => {
  await openAs(page, wall, paths.email);
  await newEmailField(page).press('Enter');
  await expect(problem(page)).toHaveText('Введите email');
  await newEmailField(page).fill('anna@example');
  await expect(problem(page)).toHaveText('Введите корректный email');
  await expect(mainButton(page, 'Получить код')).toBeDisabled();
});

test('a taken address can be replaced by another', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/400/);
  const { email: taken } = await newPerson(wall);
  await openAs(page, wall, paths.email);
  await newEmailField(page).fill(taken);
  await mainButton(page, 'Получить код').click();
  await expect(problem(page)).toHaveText('Этот адрес уже занят.');
  await expect(mainButton(page, 'Получить код')).toBeDisabled();
  await newEmailField(page).fill(newAddress());
  await expect(problem(page)).toHaveCount(0);
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeFocused();
});

for (const code of ['EMAIL_ALREADY_EXISTS', 'USER_NOT_FOUND']) {
  test(`${code} with the code returns to the address`, async ({ page, wall, mail, pageErrors }) => {
    pageErrors.expect(/400/);
    await openAs(page, wall, paths.email);
    const email = newAddress();
    await askForCode(page, email);
    await page.route(verify, (route) => route.fulfill({ status: 400, json: { code, message: 'Так не выйдет.' } }));
    await codeField(page).fill(await mail.codeTo(email));
    await expect(problem(page)).toHaveText('Так не выйдет.');
    await expect(newEmailField(page)).toHaveValue(email);
  });
}

test('a wrong code is reported and can be overwritten', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await openAs(page, wall, paths.email);
  const email = newAddress();
  await askForCode(page, email);
  const code = await mail.codeTo(email);
  await page.keyboard.type(wrong(code));
  await expect(problem(page)).toHaveText('Неверный код. Проверьте его и введите ещё раз.');
  await page.keyboard.type(code);
  await expectChanged(page, email);
});

test('a reload returns to the code step', async ({ page, wall, mail }) => {
  await openAs(page, wall, paths.email);
  const email = newAddress();
  await askForCode(page, email);
  await page.reload();
  await expect(codeField(page)).toBeFocused();
  await codeField(page).fill(await mail.codeTo(email));
  await expectChanged(page, email);
});

test('the address can be changed before the code is entered', async ({ page, wall, mail }) => {
  await openAs(page, wall, paths.email);
  await askForCode(page, newAddress());
  await mainButton(page, 'Изменить адрес').click();
  await expect(newEmailField(page)).toBeFocused();
  const email = newAddress();
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expectChanged(page, email);
});

test('a double click sends one request, and six digits are sent once', async ({ page, wall, mail }) => {
  await openAs(page, wall, paths.email);
  const starts = callsOf(page, 'PUT', start);
  const verifications = callsOf(page, 'PUT', verify);
  const email = newAddress();
  await newEmailField(page).fill(email);
  await mainButton(page, 'Получить код').dblclick();
  await codeField(page).pressSequentially(await mail.codeTo(email));
  await page.keyboard.press('Enter');
  await expectChanged(page, email);
  expect([starts.length, verifications.length]).toEqual([1, 1]);
});

test('offline: reports the failure and succeeds on retry', async ({ page, context, wall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await openAs(page, wall, paths.email);
  const email = newAddress();
  await newEmailField(page).fill(email);
  await context.setOffline(true);
  await mainButton(page, 'Получить код').click();
  await expect(problem(page)).toContainText('Нет соединения');
  await context.setOffline(false);
  await mainButton(page, 'Получить код').click();
  await codeField(page).fill(await mail.codeTo(email));
  await expectChanged(page, email);
});

test('detects a change whose response was lost', async ({ page, wall, mail, pageErrors }) => {
  // 404: while the state of the operation is unknown, the page requests its mail status.
  pageErrors.expect(/ERR_CONNECTION_RESET|400|404/);
  await openAs(page, wall, paths.email);
  const email = newAddress();
  await askForCode(page, email);
  await dropNextResponse(page, 'PUT', verify);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(problem(page)).toContainText('Нет соединения');
  await mainButton(page, 'Продолжить').click();
  await expectChanged(page, email);
});

test.describe('with the usual limits', () => {
  test.use({ settings: { RATE_LIMITS: 'on' } });

  test('too many taken addresses: shows when to retry', async ({ page, ownWall, pageErrors }) => {
    pageErrors.expect(/400|429/);
    await openAs(page, ownWall, paths.email);
    for (let turn = 0; turn < 6; turn += 1) {
      const { email } = await newPerson(ownWall);
      await newEmailField(page).fill(email);
      await mainButton(page, 'Получить код').click();
      await expect(problem(page)).toContainText(turn < 5 ? 'занят' : /Повторить можно через \d+\s(мин|ч)\./);
    }
    await expect(mainButton(page, 'Получить код')).toBeEnabled();
    await expect(profileLink(page)).toBeVisible();
  });
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
    await openAs(page, ownWall, paths.email);
    const email = newAddress();
    await askForCode(page, email);
    await expect(mainButton(page, resend)).toBeDisabled();
    await useUpTries(page, await mail.codeTo(email), problem(page));
    await mainButton(page, resend).click();
    await codeField(page).fill(await mail.codeTo(email));
    await expectChanged(page, email);
  });
});

test.describe('with codes that soon expire', () => {
  test.use({ settings: { CODE_RESEND_SECONDS: '1', CODE_TTL_SECONDS: '3' } });

  test('reports an expired code and requests a new one with one tap', async ({ page, ownWall, mail, pageErrors }) => {
    pageErrors.expect(/400/);
    await openAs(page, ownWall, paths.email);
    const email = newAddress();
    await askForCode(page, email);
    const code = await mail.codeTo(email);
    await page.waitForTimeout(4_000);
    await codeField(page).fill(code);
    await expect(problem(page)).toHaveText('Код больше не действует. Запросите новый.');
    await mainButton(page, resend).click();
    await codeField(page).fill(await mail.codeTo(email));
    await expectChanged(page, email);
  });
});
