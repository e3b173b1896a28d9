import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from '../support/accessible.ts';
import { ownContrast } from '../support/contrast.ts';
import {
  askForCode,
  button,
  codeField,
  dialog,
  emailField,
  newAddress,
  newPerson,
  openDialog,
  wrong,
} from '../support/sign-in.ts';
import { takePictures } from '../support/gallery.ts';
import { expect, test } from '../support/test.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('sign-in and its errors', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  const { email } = await newPerson(ownWall);
  await openDialog(page, ownWall.url);
  const submit = button(page, 'Получить код');
  await expect(submit).toBeDisabled();
  for (const theme of ['dark', 'light']) {
    await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
    await expect.poll(() => ownContrast(submit), theme).toBeGreaterThanOrEqual(4.5);
  }
  await takePictures(page, 'sign-in-email');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('Введите email');
  await expect(emailField(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(emailField(page)).toHaveAccessibleDescription(/^Введите email/);
  await expectAccessible(page);
  await emailField(page).fill('anna@example');
  await page.keyboard.press('Enter');
  await takePictures(page, 'sign-in-email-wrong');
  await askForCode(page, email);
  await expect(dialog(page).getByRole('status')).toContainText('Письмо принято');
  await takePictures(page, 'sign-in-code');
  await expectAccessible(page);
  const code = await mail.codeTo(email);
  await codeField(page).fill(wrong(code));
  await expect(page.getByRole('alert')).toHaveText(/Неверный код/);
  await takePictures(page, 'sign-in-code-wrong');
  await expectAccessible(page);
  for (let tries = 0; tries < 4; tries += 1) {
    await codeField(page).fill('');
    await codeField(page).fill(wrong(code));
  }
  await expect(page.getByRole('alert')).toHaveText(/Попытки закончились/);
  await takePictures(page, 'sign-in-code-used-up');
});

test('registration', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/);
  await openDialog(page, ownWall.url);
  await emailField(page).fill(newAddress());
  await button(page, 'Получить код').click();
  await expect(button(page, 'Продолжить')).toBeFocused();
  await takePictures(page, 'sign-in-offer');
  await expectAccessible(page);
  await ownWall.admin('registration', 'invite', '--reason', 'набежали');
  await button(page, 'Продолжить').click();
  await expect(page.getByRole('textbox', { name: 'Код приглашения' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Код приглашения' }).fill('ABCDE-ABCDE');
  await takePictures(page, 'sign-in-invite');
  await button(page, 'Продолжить').click();
  await expect(page.getByRole('alert')).toHaveText(/не подошёл/);
  await takePictures(page, 'sign-in-invite-wrong');
});

test('registration with a consent', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/);
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await writeFile(join(folder, 'consent.md'), '# Согласие');
  await ownWall.restart({ PAGES_DIR: folder });
  await rm(folder, { recursive: true });
  await openDialog(page, ownWall.url);
  await emailField(page).fill(newAddress());
  await button(page, 'Получить код').click();
  await button(page, 'Продолжить').click();
  await expect(page.getByRole('checkbox')).toBeFocused();
  await takePictures(page, 'sign-in-consent');
});
