import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { paths } from './support/account.ts';
import { openPage, reloadPage } from './support/app.ts';
import {
  button,
  codeField,
  dialog,
  emailField,
  newAddress,
  newPerson,
  openDialog,
  type Person,
  profileLink,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { callsOf, signInNewPerson, toast } from './support/writing.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Something that a mailed code confirms. */
interface Confirmed {
  path: string;
  /** The request that mails the code. */
  starts: RegExp;
  isForVisitors?: true;
  /** Fills in what comes before the code; resolves to the address that gets it. */
  prepare(page: Page, person: Person): Promise<string>;
  /** The button that requests the code. */
  asks: string;
  /** The button that sends it. */
  sends: string;
  /** The last digit does not send it. */
  waitsForButton?: true;
  /** A failure that is no refusal is a toast at the step of the code. */
  toasts?: true;
  isDone(page: Page, person: Person): Promise<unknown>;
}

const confirmed: Record<string, Confirmed> = {
  'signing in': {
    path: '/discussed?from=here',
    starts: /\/logins$/,
    isForVisitors: true,
    async prepare(page, { email }) {
      await openDialog(page, page.url());
      await emailField(page).fill(` ${email.toUpperCase()} `);
      return email.toUpperCase();
    },
    asks: 'Получить код',
    sends: 'Продолжить',
    async isDone(page, { name }) {
      await expect(profileLink(page)).toHaveText(name);
      await expect(page).toHaveURL(/\/discussed\?from=here$/);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    },
  },
  'a deletion': {
    path: paths.deletion,
    starts: /\/users\/current\/deletion$/,
    prepare: async (_, { email }) => email,
    asks: 'Получить код',
    sends: 'Удалить учётную запись',
    waitsForButton: true,
    toasts: true,
    isDone: (page) => expect(toast(page, 'Учётная запись удалена')).toBeVisible(),
  },
};

const noConnection = 'Нет соединения. Проверьте сеть и попробуйте ещё раз.';
const verify = /\/verify$/;

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

for (const [name, what] of Object.entries(confirmed)) {
  test(`a code is requested and sent once: ${name}`, async ({ page, context, ownWall, mail, pageErrors }) => {
    pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, /\b400\b.*\/verify/);
    pageErrors.tolerate(/\b400\b.*\/logins/);
    const person = what.isForVisitors ? await newPerson(ownWall) : await signInNewPerson(page, ownWall, what.path);
    await openPage(page, ownWall.url + what.path);
    const shown = await what.prepare(page, person);
    const email = shown.toLowerCase();
    const place: Locator = what.isForVisitors ? dialog(page) : page.getByRole('main');
    const send = place.getByRole('button', { name: what.sends, exact: true });
    const problem = place.getByRole('alert').filter({ hasText: /./ });
    const again = place.getByRole('button', { name: /^Отправить код ещё раз$/ });
    const fails = async (text: string, step: 'start' | 'code') => {
      if (!what.toasts || step === 'start') return expect(problem).toHaveText(text);
      await expect(toast(page, text)).toBeVisible();
      await expect(problem).toHaveCount(0);
    };
    const enter = async (code: string) => {
      await codeField(page).fill('');
      await codeField(page).pressSequentially(code);
      if (what.waitsForButton) {
        await expect(send).toBeEnabled();
        expect(sent).toHaveLength(count);
        await send.click();
      }
      count += 1;
    };
    const isSpent = async () => {
      await expect(send).toHaveCount(0);
      await expect(codeField(page)).not.toBeEditable();
    };

    // Without a network the browser could not be identified, which has a message of its own.
    if (what.isForVisitors) await page.waitForFunction(() => localStorage.getItem('client-token') !== null);
    await context.setOffline(true);
    await place.getByRole('button', { name: what.asks }).click();
    await fails(noConnection, 'start');
    await context.setOffline(false);
    const [asked, sent] = [callsOf(page, 'POST', what.starts), callsOf(page, 'POST', verify)];
    let count = 0;
    await place.getByRole('button', { name: what.asks }).dblclick();
    await expect(codeField(page)).toBeFocused();
    const code = await mail.codeTo(email);
    expect(asked).toHaveLength(1);

    const wrong = code === '000042' ? '000043' : '000042';
    const body = page.waitForRequest((request) => verify.test(request.url()));
    await enter(wrong);
    expect((await body).postDataJSON().confirmCode).toBe(wrong);
    await page.keyboard.press('Enter');
    await expect(problem).toHaveText('Неверный код. Проверьте его и введите ещё раз.');
    await expect(codeField(page)).toHaveValue(wrong);
    expect(
      await codeField(page).evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd]),
    ).toEqual([0, 6]);
    expect(sent).toHaveLength(1);

    await reloadPage(page);
    await expect(codeField(page)).toBeFocused();
    await expect(place).toContainText(shown);
    for (let left = 3; left >= 0; left -= 1) {
      await enter(wrong);
      await expect(problem).toHaveText(left > 0 ? /^Неверный код\./ : /^Попытки закончились\. Запросите новый код\./);
      await expect.poll(() => sent.length).toBe(count);
    }
    await isSpent();

    const expired = { code: 'OPERATION_EXPIRED', message: 'Код больше не действует. Запросите новый.' };
    await page.route('**/verify', (route) => route.fulfill({ status: 400, json: expired }), { times: 1 });
    await again.click();
    const second = await mail.codeTo(email);
    await expect(codeField(page)).toBeEditable();
    await enter(second);
    await expect(problem).toHaveText(expired.message);
    await isSpent();

    await again.click();
    const third = await mail.codeTo(email);
    await expect(codeField(page)).toBeEditable();
    await context.setOffline(true);
    await enter(third);
    await fails(noConnection, 'code');
    await expect(codeField(page)).toHaveValue(third);
    await context.setOffline(false);
    await send.click();
    await what.isDone(page, person);
  });
}

const box = (page: Page) => dialog(page).getByRole('checkbox', { name: /^Я согласен\(на\) на\s/ });
const proceed = (page: Page) => button(page, 'Продолжить');

let folder: string;
test.beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'pages-'))));
test.afterEach(() => rm(folder, { recursive: true }));

const writeConsent = (text: string): Promise<void> => writeFile(join(folder, 'consent.md'), text);

/** Opens the step of registration for a new address. */
async function offer(page: Page, wall: Wall): Promise<string> {
  const email = newAddress();
  await openDialog(page, wall.url);
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await expect(proceed(page)).toBeEnabled();
  return email;
}

test('registration starts only with a consent that was ticked', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await writeConsent('# Согласие\n\nСогласен на обработку.');
  await ownWall.restart({ PAGES_DIR: folder });
  const email = await offer(page, ownWall);
  await expect(box(page)).not.toBeChecked();
  const starts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/registrations')) starts.push(request.postDataJSON().consent);
  });
  await proceed(page).click();
  await expect(dialog(page).getByRole('alert')).toHaveText(/^Без согласия/);
  await expect(box(page)).toBeFocused();
  expect(starts).toEqual([]);
  await expectAccessible(page);

  const opened = page.waitForEvent('popup');
  await dialog(page).getByRole('link', { name: 'обработку персональных данных' }).click();
  const text = await opened;
  await expect(text.getByRole('heading', { level: 1 })).toHaveText('Согласие');
  await text.close();
  await expect(box(page)).not.toBeChecked();

  await box(page).press('Space');
  await expect(box(page)).toBeChecked();
  await expect(dialog(page).getByRole('alert')).toHaveCount(0);
  await proceed(page).click();
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toBeVisible();
  expect(starts).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('a consent that has come up or changed is asked for again', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await ownWall.restart({ PAGES_DIR: folder });
  const email = await offer(page, ownWall);
  await expect(box(page)).toHaveCount(0);
  for (const [title, message] of [
    ['Согласие', /Чтобы зарегистрироваться, дайте согласие/],
    ['Другое согласие', /изменился\. Прочитайте/],
  ] as const) {
    await writeConsent(`# ${title}`);
    const shown = async () => (await fetch(`${ownWall.url}/api/v1/documents/consent`)).json();
    await expect.poll(async () => (await shown()).title).toBe(title);
    await proceed(page).click();
    await expect(dialog(page).getByRole('alert').filter({ hasText: /./ })).toContainText(message);
    await expect(box(page)).not.toBeChecked();
    await box(page).check();
  }
  await proceed(page).click();
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toBeVisible();
});
