import { unsubscribeToken } from '../../server/features/notifications/unsubscribing.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { SECRET } from '../kit/server-process.ts';
import { expectAccessible } from './support/accessible.ts';
import { mainButton } from './support/account.ts';
import { takePictures } from './support/gallery.ts';
import { newPerson } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const linkFor = (person: { id: number; email: string }): string =>
  `/unsubscribe?token=${unsubscribeToken(makeSecrets(SECRET), person, Math.floor(Date.now() / 1_000))}`;

test('the link of a letter opens a page that ends the letters, also without JavaScript', async ({
  page,
  browser,
  wall,
}) => {
  const person = await newPerson(wall);
  const before = await wall.rows();
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: wall.url });
  const plain = await context.newPage();
  await plain.goto(linkFor(person));
  await expect(plain.getByRole('heading', { name: /Больше не\sприсылать писем\?/ })).toBeVisible();
  expect(await wall.rows()).toBe(before);
  await mainButton(plain, /Не\sприсылать/).click();
  await expect(plain.getByRole('heading', { name: /Письма больше не\sпридут/ })).toBeVisible();
  await context.close();

  await page.goto(linkFor(person));
  await takePictures(page, 'unsubscribe');
  await expectAccessible(page);
  await mainButton(page, /Не\sприсылать/).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('Отписка от писем - Стена');
  await expect(page.getByRole('heading', { name: /Письма больше не\sпридут/ })).toBeVisible();
  await takePictures(page, 'unsubscribe-done');
  await expectAccessible(page);
  await expect(page.getByRole('main').getByRole('link', { name: 'Настройки' })).toHaveAttribute(
    'href',
    '/settings/notifications',
  );

  await page.goto(linkFor(person).slice(0, -1));
  await mainButton(page, /Не\sприсылать/).click();
  await expect(page.getByRole('heading', { name: /Ссылка не\sподходит/ })).toBeVisible();
  await expectAccessible(page);
});
