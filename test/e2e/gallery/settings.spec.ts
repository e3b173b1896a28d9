import { expectAccessible } from '../support/accessible.ts';
import { mainButton, newEmailField, openAs, paths, problem, usernameField } from '../support/account.ts';
import { made, makeToken, openApiTokens, orderToken, tokens } from '../support/api-tokens.ts';
import { closeOthersButton, noOthers, openDevices, otherSession } from '../support/devices.ts';
import { codeField, newAddress, wrong } from '../support/sign-in.ts';
import { takePictures } from '../support/gallery.ts';
import { expect, test } from '../support/test.ts';
import { choice } from '../support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('settings, a change of address, a username and a deletion', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await ownWall.seed.person('boris_petrov');
  await openAs(page, ownWall, paths.settings);
  await takePictures(page, 'settings');
  await expectAccessible(page);

  await test.step('what is kept', async () => {
    await page.goto(ownWall.url + '/settings/data');
    await expect(page.getByRole('heading', { name: 'Порядок на стене' })).toBeVisible();
    await takePictures(page, 'settings-data');
    await expectAccessible(page);
  });

  await test.step('a new address', async () => {
    await page.goto(ownWall.url + paths.email);
    await expect(newEmailField(page)).toBeVisible();
    await expectAccessible(page);
    await newEmailField(page).fill('anna@example');
    await page.keyboard.press('Enter');
    await expect(problem(page)).toBeVisible();
    await takePictures(page, 'settings-email');
    await expectAccessible(page);
    const email = newAddress();
    await newEmailField(page).fill(email);
    await page.keyboard.press('Enter');
    await expect(codeField(page)).toBeVisible();
    await takePictures(page, 'settings-email-code');
    await codeField(page).fill(wrong(await mail.codeTo(email)));
    await expect(problem(page)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a username', async () => {
    await page.goto(ownWall.url + paths.username);
    await expect(usernameField(page)).toBeVisible();
    await takePictures(page, 'settings-username');
    await expectAccessible(page);
    await usernameField(page).fill('boris_petrov');
    await expect(problem(page)).toHaveText(/занято/);
    await takePictures(page, 'settings-username-taken');
    await expectAccessible(page);
    await usernameField(page).fill('x'.repeat(32));
    await expect(page.getByText('Имя пользователя свободно')).toBeVisible();
    await expect(mainButton(page, 'Сохранить')).toBeEnabled();
    await takePictures(page, 'settings-username-free');
    await expectAccessible(page);
  });

  await test.step('the deletion of the account', async () => {
    await page.goto(ownWall.url + paths.deletion);
    await expect(mainButton(page, /код/i)).toBeVisible();
    await takePictures(page, 'settings-deletion');
    await expectAccessible(page);
    await mainButton(page, 'Получить код').click();
    await expect(codeField(page)).toBeFocused();
    await expectAccessible(page);
  });
});

test('devices', async ({ page, ownWall }) => {
  await openDevices(page, ownWall);
  await takePictures(page, 'settings-devices');
  await expectAccessible(page);
  await otherSession(page, 'Firefox 145').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await takePictures(page, 'settings-devices-details');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await closeOthersButton(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await takePictures(page, 'settings-devices-end');
  await expectAccessible(page);
  await choice(page, 'Завершить').click();
  await expect(noOthers(page)).toBeVisible();
  await expectAccessible(page);
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
