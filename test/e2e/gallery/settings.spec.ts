import { mainButton, newEmailField, openAs, paths, problem, usernameField } from '../support/account.ts';
import { made, makeToken, openApiTokens, orderToken, tokens } from '../support/api-tokens.ts';
import { codeField, newAddress } from '../support/sign-in.ts';
import { openDevices, otherSession } from '../support/devices.ts';
import { takePictures } from '../support/gallery.ts';
import { expect, test } from '../support/test.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('settings and a change of address', async ({ page, ownWall }) => {
  await openAs(page, ownWall, paths.settings);
  await takePictures(page, 'settings');
  await page.goto(ownWall.url + paths.email);
  await newEmailField(page).fill('anna@example');
  await page.keyboard.press('Enter');
  await takePictures(page, 'settings-email');
  await newEmailField(page).fill(newAddress());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Код из письма' })).toBeVisible();
  await takePictures(page, 'settings-email-code');
  await page.goto(ownWall.url + paths.deletion);
  await expect(mainButton(page, /код/i)).toBeVisible();
  await takePictures(page, 'settings-deletion');
});

test('a username', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/);
  await ownWall.seed.person('boris_petrov');
  await openAs(page, ownWall, paths.username);
  await takePictures(page, 'settings-username');
  await usernameField(page).fill('boris_petrov');
  await expect(problem(page)).toHaveText(/занято/);
  await takePictures(page, 'settings-username-taken');
  await usernameField(page).fill('x'.repeat(32));
  await expect(page.getByText('Имя пользователя свободно')).toBeVisible();
  await takePictures(page, 'settings-username-free');
});

test('devices', async ({ page, ownWall }) => {
  await openDevices(page, ownWall);
  await takePictures(page, 'settings-devices');
  await otherSession(page, 'Firefox 145').click();
  await takePictures(page, 'settings-devices-details');
  await page.keyboard.press('Escape');
  await mainButton(page, 'Завершить другие сеансы').click();
  await takePictures(page, 'settings-devices-end');
});

test('API tokens', async ({ page, ownWall, mail }) => {
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
