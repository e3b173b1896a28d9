import {
  closeOthersButton,
  firefox,
  noOthers,
  openDevices,
  others,
  otherSession,
  section,
  signInFrom,
} from './support/devices.ts';
import { profileLink, signInButton } from './support/door.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, enter, loseNextAnswer, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('the current session stands first and cannot be chosen, the others follow', async ({ page, ownWall, mail }) => {
  await openDevices(page, ownWall, mail);
  await expect(page).toHaveTitle('Устройства - Стена');
  const current = section(page, 'Текущий сеанс');
  await expect(current).toContainText(/Chrome \d+Linux.* · Сейчас/);
  await expect(current).toContainText(/Вход \d+ [а-я]+ 20\d\d г\., \d\d:\d\d/);
  await expect(current.getByRole('button')).toHaveCount(0);
  await expect(others(page).first()).toContainText(/Safari 26iOS 26\.1 · Активность только что/);
  await expect(others(page).last()).toContainText(/Firefox 145Ubuntu 24\.04 · Активность только что/);
});

test('the details of a session are told, and it is ended', async ({ page, ownWall, mail }) => {
  const away = await openDevices(page, ownWall, mail);
  const calls = callsOf(page, 'DELETE', /\/sessions\//);
  await otherSession(page, 'Firefox 145').click();
  const dialog = page.getByRole('dialog', { name: 'Сеанс' });
  const value = (label: string) =>
    dialog.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd[1]');
  await expect(value('Браузер')).toHaveText('Firefox');
  await expect(value('Версия')).toHaveText('145.0.1');
  await expect(value('Система')).toHaveText('Ubuntu 24.04');
  await expect(value('Вход')).toHaveText(/\d+ [а-я]+ 20\d\d г\., \d\d:\d\d/);
  await expect(value('Активность')).toHaveText('только что');

  await choice(page, 'Завершить сеанс').dblclick();
  await expect(toast(page, 'Сессия завершена')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(others(page)).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Другие сеансы' })).toBeFocused();
  expect(calls).toHaveLength(1);
  expect(await away.firefox.isOpen()).toBe(false);
  expect(await away.safari.isOpen()).toBe(true);
});

test('all others are ended after a question', async ({ page, ownWall, mail }) => {
  const away = await openDevices(page, ownWall, mail);
  await closeOthersButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Завершить другие сеансы?' })).toBeVisible();
  await choice(page, 'Отмена').click();
  await expect(closeOthersButton(page)).toBeFocused();
  await expect(others(page)).toHaveCount(2);
  expect(await away.safari.isOpen()).toBe(true);

  await closeOthersButton(page).click();
  await choice(page, 'Завершить').click();
  await expect(toast(page, 'Сессии завершены')).toBeVisible();
  await expect(noOthers(page)).toBeVisible();
  await expect(closeOthersButton(page)).toBeHidden();
  expect(await Promise.all([away.firefox.isOpen(), away.safari.isOpen()])).toEqual([false, false]);
  await page.reload();
  await expect(noOthers(page)).toBeVisible();
});

test('a failure is told in the dialog; what was already ended leaves the list', async ({
  page,
  ownWall,
  mail,
  mishaps,
}) => {
  mishaps.expect(/ERR_CONNECTION_RESET/);
  mishaps.expect(/404/);
  await openDevices(page, ownWall, mail);
  await loseNextAnswer(page, 'DELETE', /\/sessions\/\d+$/);
  await otherSession(page, 'Safari 26').click();
  await choice(page, 'Завершить сеанс').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(/Нет соединения/);
  await choice(page, 'Завершить сеанс').click();
  await expect(toast(page, 'Этот сеанс уже был завершён')).toBeVisible();
  await expect(otherSession(page, 'Safari 26')).toBeHidden();
  await expect(others(page)).toHaveCount(1);
});

test('what fails after its dialog was closed is told beside it', async ({ page, ownWall, mail, mishaps }) => {
  mishaps.expect(/503/);
  await openDevices(page, ownWall, mail);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/sessions$/, async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    await asked;
    await route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' } });
  });
  await closeOthersButton(page).click();
  await choice(page, 'Завершить').click();
  await page.keyboard.press('Escape');
  answer();
  await expect(toast(page, 'Сервис временно недоступен.')).toBeVisible();
  await expect(others(page)).toHaveCount(2);
});

test('a list that does not come says so and is asked for again', async ({ page, ownWall, mishaps }) => {
  mishaps.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await enter(page, ownWall);
  await page.route(/\/sessions$/, (route) => route.abort());
  await page.goto(`${ownWall.url}/settings/devices`);
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.unroute(/\/sessions$/);
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(noOthers(page)).toBeVisible();
});

test('it is read anew when one comes back to it', async ({ page, ownWall, mail }) => {
  const { email } = await enter(page, ownWall);
  await page.goto(`${ownWall.url}/settings/devices`);
  await expect(noOthers(page)).toBeVisible();
  await signInFrom(firefox, ownWall, mail, email);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(otherSession(page, 'Firefox 145')).toBeVisible();
});

test('whoever was ended elsewhere meanwhile is led to the feed', async ({ page, ownWall, mail, mishaps }) => {
  mishaps.expect(/401/);
  const away = await openDevices(page, ownWall, mail);
  await away.safari.closeOthers();
  await otherSession(page, 'Safari 26').click();
  await choice(page, 'Завершить сеанс').click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(signInButton(page)).toBeVisible();
  await expect(profileLink(page)).toBeHidden();
  expect(await away.safari.isOpen()).toBe(true);
});
