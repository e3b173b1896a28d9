import {
  closeOthersButton,
  firefox,
  noOthers,
  openDevices,
  openSessionOn,
  others,
  otherSession,
  section,
} from './support/devices.ts';
import { profileLink, signInButton } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, signInNewPerson, dropNextResponse, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('the current session comes first and cannot be selected', async ({ page, ownWall }) => {
  await openDevices(page, ownWall);
  await expect(page).toHaveTitle('Устройства - Стена');
  const current = section(page, 'Текущий сеанс');
  await expect(current).toContainText(/Chrome \d+Linux.* · Сейчас/);
  await expect(current).toContainText(/Вход \d+ [а-я]+, \d\d:\d\d/);
  await expect(current.getByRole('button')).toHaveCount(0);
  await expect(others(page).first()).toContainText(/Safari 26iOS 26\.1 · Активность только что/);
  await expect(others(page).last()).toContainText(/Firefox 145Ubuntu 24\.04 · Активность только что/);
});

test('shows the details of a session and ends it', async ({ page, ownWall }) => {
  const away = await openDevices(page, ownWall);
  const calls = callsOf(page, 'DELETE', /\/sessions\//);
  await otherSession(page, 'Firefox 145').click();
  const dialog = page.getByRole('dialog', { name: 'Сеанс' });
  const value = (label: string) =>
    dialog.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd[1]');
  await expect(value('Браузер')).toHaveText('Firefox');
  await expect(value('Версия')).toHaveText('145.0.1');
  await expect(value('Система')).toHaveText('Ubuntu 24.04');
  await expect(value('Вход')).toHaveText(/\d+ [а-я]+, \d\d:\d\d/);
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

test('ends all other sessions after a confirmation', async ({ page, ownWall }) => {
  const away = await openDevices(page, ownWall);
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

test('shows a failure in the dialog; sessions that have ended leave the list', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  pageErrors.expect(/404/);
  await openDevices(page, ownWall);
  await dropNextResponse(page, 'DELETE', /\/sessions\/\d+$/);
  await otherSession(page, 'Safari 26').click();
  await choice(page, 'Завершить сеанс').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(/Нет соединения/);
  await choice(page, 'Завершить сеанс').click();
  await expect(toast(page, 'Этот сеанс уже был завершён')).toBeVisible();
  await expect(otherSession(page, 'Safari 26')).toBeHidden();
  await expect(others(page)).toHaveCount(1);
});

test('shows a failure as a toast after the dialog was closed', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  await openDevices(page, ownWall);
  let respond = () => {};
  const asked = new Promise<void>((resolve) => (respond = resolve));
  await page.route(/\/sessions$/, async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    await asked;
    await route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' } });
  });
  await closeOthersButton(page).click();
  await choice(page, 'Завершить').click();
  await page.keyboard.press('Escape');
  respond();
  await expect(toast(page, 'Сервис временно недоступен.')).toBeVisible();
  await expect(others(page)).toHaveCount(2);
});

test('a list that fails to load reports it and can be retried', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await signInNewPerson(page, ownWall);
  await page.route(/\/sessions$/, (route) => route.abort());
  await page.goto(`${ownWall.url}/settings/devices`);
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.unroute(/\/sessions$/);
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(noOthers(page)).toBeVisible();
});

test('reloads the list on return to the page', async ({ page, ownWall }) => {
  const { id } = await signInNewPerson(page, ownWall);
  await page.goto(`${ownWall.url}/settings/devices`);
  await expect(noOthers(page)).toBeVisible();
  await openSessionOn(firefox, ownWall, id);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(otherSession(page, 'Firefox 145')).toBeVisible();
});

test('a session ended elsewhere leads to the feed', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/401/);
  const away = await openDevices(page, ownWall);
  await away.safari.closeOthers();
  await otherSession(page, 'Safari 26').click();
  await choice(page, 'Завершить сеанс').click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(signInButton(page)).toBeVisible();
  await expect(profileLink(page)).toBeHidden();
  expect(await away.safari.isOpen()).toBe(true);
});
