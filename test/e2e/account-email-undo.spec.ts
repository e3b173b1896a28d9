import { hydrated } from './support/app.ts';
import { mainButton, newEmailField, openAs, paths, row } from './support/account.ts';
import { codeField, newAddress, newPerson, signIn } from './support/sign-in.ts';
import { takePictures } from './support/gallery.ts';
import { expect, test } from './support/test.ts';
import { delayScripts } from './support/slowness.ts';
import { toast } from './support/writing.ts';

declare global {
  interface Window {
    sent: number;
  }
}

test('a code confirms the new address, and the letter to the old one undoes the change, also without JavaScript', async ({
  page,
  context: tabs,
  browser,
  wall,
  mail,
  pageErrors,
}) => {
  // The undo ends the session of the page that opens the link afterwards.
  pageErrors.expect(/401/);
  const person = await openAs(page, wall, paths.settings);
  const other = await tabs.newPage();
  await other.goto(wall.url + paths.settings);
  await row(page, 'Электронная почта').click();
  await expect(page).toHaveTitle('Электронная почта - Стена');
  await expect(page.getByRole('form', { name: 'Изменить электронную почту' })).toContainText(person.email);
  await expect(mainButton(page, 'Получить код')).toBeDisabled();

  const email = newAddress();
  await newEmailField(page).fill(email);
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeFocused();
  await expect(page.getByRole('main')).toContainText(`Код отправлен на ${email}`);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(toast(page, 'Адрес изменён')).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  for (const tab of [page, other]) await expect(row(tab, 'Электронная почта')).toContainText(email);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).not.toHaveURL(/\/email$/);
  await other.close();

  const { text } = await mail.mailTo(person.email, (letter) => letter.text.includes('/undo-email'));
  expect(text).toContain('адрес вашей учётной записи');
  expect(text).toContain(`${email[0]}***@example.org`);
  expect(text).toContain(`${wall.url}/undo-email?token=`);
  const [link] = /\S+\/undo-email\?token=\S+/.exec(text)!;

  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: wall.url });
  const plain = await context.newPage();
  await plain.goto(link);
  await expect(plain.getByRole('heading', { name: 'Отменить смену адреса?' })).toBeVisible();
  await mainButton(plain, 'Отменить смену').click();
  await expect(plain.getByRole('heading', { name: 'Смена адреса отменена' })).toBeVisible();
  await context.close();

  await page.goto(link);
  await takePictures(page, 'email-undo');
  await mainButton(page, 'Отменить смену').click();
  await expect(page).toHaveTitle('Отмена смены адреса - Стена');
  await expect(page.getByRole('heading', { name: 'Смена уже отменена' })).toBeVisible();
  await takePictures(page, 'email-undo-used');
});

test('on a new device the change needs a code sent to the old address', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/403/);
  const person = await newPerson(wall);
  await signIn(page, mail, wall.url, person);
  await page.goto(wall.url + paths.email);
  const email = newAddress();
  await newEmailField(page).fill(email);
  await mainButton(page, 'Получить код').click();
  await expect(page.getByRole('heading', { name: 'Подтвердите это устройство' })).toBeVisible();
  await expect(mainButton(page, 'Получить код')).toBeFocused();
  await takePictures(page, 'settings-email-new-device');
  await mainButton(page, 'Получить код').click();
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(page.getByRole('main')).toContainText(`Код отправлен на ${email}`);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(toast(page, 'Адрес изменён')).toBeVisible();
  await expect(row(page, 'Электронная почта')).toContainText(email);
});

test('a form that was sent before hydration is not sent again', async ({ page, wall }) => {
  const release = await delayScripts(page, /\.js$/);
  await page.goto(`${wall.url}/undo-email?token=${'a'.repeat(43)}`, { waitUntil: 'commit' });
  await mainButton(page, 'Отменить смену').waitFor();
  await page.evaluate(() => {
    window.sent = 0;
    document.addEventListener('submit', (event) => {
      event.preventDefault();
      window.sent += 1;
    });
  });
  await mainButton(page, 'Отменить смену').click();
  release.resolve();
  await hydrated(page);
  expect(await page.evaluate(() => window.sent)).toBe(1);
});
