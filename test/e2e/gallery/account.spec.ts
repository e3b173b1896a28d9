import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible, ownContrast } from '../support/accessible.ts';
import {
  closeOthersButton,
  made,
  mainButton,
  makeToken,
  newEmailField,
  noOthers,
  openApiTokens,
  openAs,
  openDevices,
  orderToken,
  otherSession,
  paths,
  problem,
  tokens,
  usernameField,
} from '../support/account.ts';
import { onlyPictures, takeAccessible, takePictures } from '../support/gallery.ts';
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
import { expect, test } from '../support/test.ts';
import { choice } from '../support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('settings, a change of address, a username and a deletion', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await ownWall.seed.person('boris_petrov');
  await openAs(page, ownWall, paths.settings);
  await takeAccessible(page, 'settings');

  await page.goto(ownWall.url + '/settings/data');
  await takeAccessible(page, 'settings-data', page.getByRole('heading', { name: 'Порядок на стене' }));
  await page.goto(ownWall.url + paths.email);
  await expect(newEmailField(page)).toBeVisible();
  await expectAccessible(page);
  await newEmailField(page).fill('anna@example');
  await page.keyboard.press('Enter');
  await takeAccessible(page, 'settings-email', problem(page));
  const email = newAddress();
  await newEmailField(page).fill(email);
  await page.keyboard.press('Enter');
  await takePictures(page, 'settings-email-code', codeField(page));
  await codeField(page).fill(wrong(await mail.codeTo(email)));
  await expect(problem(page)).toBeVisible();
  await expectAccessible(page);
  await page.goto(ownWall.url + paths.username);
  await takeAccessible(page, 'settings-username', usernameField(page));
  await usernameField(page).fill('boris_petrov');
  await expect(problem(page)).toHaveText(/занято/);
  await takeAccessible(page, 'settings-username-taken');
  await usernameField(page).fill('x'.repeat(32));
  await expect(page.getByText('Имя пользователя свободно')).toBeVisible();
  await expect(mainButton(page, 'Сохранить')).toBeEnabled();
  await takeAccessible(page, 'settings-username-free');
  await page.goto(ownWall.url + paths.deletion);
  await takeAccessible(page, 'settings-deletion', mainButton(page, /код/i));
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeFocused();
  await expectAccessible(page);
});

test('devices', async ({ page, ownWall }) => {
  await openDevices(page, ownWall);
  await takeAccessible(page, 'settings-devices');
  await otherSession(page, 'Firefox 145').click();
  await takeAccessible(page, 'settings-devices-details', page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await closeOthersButton(page).click();
  await takeAccessible(page, 'settings-devices-end', page.getByRole('dialog'));
  await choice(page, 'Завершить').click();
  await expect(noOthers(page)).toBeVisible();
  await expectAccessible(page);
});

test('API tokens', onlyPictures, async ({ page, ownWall, mail }) => {
  const person = await openApiTokens(page, ownWall);
  await takePictures(page, 'settings-api-tokens-empty');
  await orderToken(page, { name: 'бот погоды' });
  await takePictures(page, 'settings-api-tokens-code');
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(made(page)).toBeVisible();
  await makeToken(page, mail, person, {
    name: 'архив_с_очень_длинным_названием_в_пятьдесят_знаков',
    scope: 'Читать и писать',
  });
  await takePictures(page, 'settings-api-tokens-made');
  await tokens(page).first().getByRole('button').click();
  await takePictures(page, 'settings-api-tokens-end');
});

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
  await takeAccessible(page, 'sign-in-email');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('Введите email');
  await expect(emailField(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(emailField(page)).toHaveAccessibleDescription(/^Введите email/);
  await expectAccessible(page);
  await emailField(page).fill('anna@example');
  await page.keyboard.press('Enter');
  await takePictures(page, 'sign-in-email-wrong');
  await askForCode(page, email);
  await takeAccessible(page, 'sign-in-code', dialog(page).getByText('Код — в теме письма'));
  const code = await mail.codeTo(email);
  await codeField(page).fill(wrong(code));
  await takeAccessible(page, 'sign-in-code-wrong', page.getByRole('alert').filter({ hasText: /Неверный код/ }));
  for (let tries = 0; tries < 4; tries += 1) {
    await codeField(page).fill('');
    await codeField(page).fill(wrong(code));
  }
  await takePictures(page, 'sign-in-code-used-up', page.getByRole('alert').filter({ hasText: /Попытки закончились/ }));
});

test('registration', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/);
  await openDialog(page, ownWall.url);
  await emailField(page).fill(newAddress());
  await button(page, 'Получить код').click();
  await expect(button(page, 'Продолжить')).toBeFocused();
  await takeAccessible(page, 'sign-in-offer');
  await ownWall.admin('registration', 'invite', '--reason', 'набежали');
  await button(page, 'Продолжить').click();
  await expect(page.getByRole('textbox', { name: 'Код приглашения' })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Код приглашения' }).fill('ABCDE-ABCDE');
  await takePictures(page, 'sign-in-invite');
  await button(page, 'Продолжить').click();
  await takePictures(page, 'sign-in-invite-wrong', page.getByRole('alert').filter({ hasText: /не подошёл/ }));
});

test('registration with a consent', onlyPictures, async ({ page, ownWall, pageErrors }) => {
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
