import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { mainButton, row } from './support/account.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson } from './support/writing.ts';

const path = '**/api/v1/users/current/notification-settings';

const follows = (page: Page) => page.getByRole('switch', { name: 'Следить за обсуждениями, в которых я отвечаю' });
const letter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Письмо о непрочитанном' }).getByLabel(name);
const state = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text });
const failure = (page: Page) => page.getByRole('main').getByRole('alert').filter({ hasText: /./ });

test('what is chosen is saved at once and found again', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall);
  await page.goto(`${ownWall.url}/settings`);
  await row(page, 'Уведомления').click();
  await expect(page).toHaveURL(`${ownWall.url}/settings/notifications`);
  await expect(page).toHaveTitle('Уведомления - Стена');
  await expect(follows(page)).toBeChecked();
  await expect(letter(page, 'Не присылать')).toBeChecked();
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await follows(page).click();
  expect((await saved).status()).toBe(200);
  await expect(state(page, 'Сохранено')).toBeVisible();
  await letter(page, 'Раз в неделю').check();
  await expect(state(page, 'Сохранено')).toBeVisible();
  await page.reload();
  await expect(follows(page)).not.toBeChecked();
  await expect(letter(page, 'Раз в неделю')).toBeChecked();
});

test('quick changes are sent one at a time, and the last ones count', async ({ page, ownWall }) => {
  await open(page, ownWall.url, () => signInNewPerson(page, ownWall));
  const sent: string[] = [];
  const first = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === 'PUT') sent.push(route.request().postDataJSON().digest);
    if (sent.length === 1) await first.promise;
    await route.continue();
  });
  await letter(page, 'Раз в день').check();
  await expect(state(page, 'Сохраняем…')).toBeVisible();
  await letter(page, 'Раз в неделю').check();
  await follows(page).press('Space');
  expect(sent).toEqual(['daily']);
  first.resolve();
  await expect(state(page, 'Сохранено')).toBeVisible();
  expect(sent).toEqual(['daily', 'weekly']);
  await page.unroute(path);
  await page.reload();
  await expect(letter(page, 'Раз в неделю')).toBeChecked();
  await expect(follows(page)).not.toBeChecked();
});

test('a failure keeps the choice and is repeated on request, without a shift', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/503/);
  await watchShift(page);
  await open(page, ownWall.url, () => signInNewPerson(page, ownWall));
  await page.route(path, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await letter(page, 'Раз в день').check();
  await expect(failure(page)).toContainText('Не сохранено');
  await expect(letter(page, 'Раз в день')).toBeChecked();
  await expectNoShift(page);
  await expectAccessible(page);
  await mainButton(page, 'Повторить').click();
  await expect(state(page, 'Сохранено')).toBeVisible();
  await expect(failure(page)).toHaveCount(0);
  await page.reload();
  await expect(letter(page, 'Раз в день')).toBeChecked();
});

test('settings that fail to load can be asked for again', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  await signInNewPerson(page, ownWall);
  await page.route(path, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await page.goto(`${ownWall.url}/settings/notifications`);
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await mainButton(page, 'Повторить').click();
  await expect(follows(page)).toBeChecked();
});

test('works by keyboard and is accessible in both themes', async ({ page, ownWall }) => {
  test.setTimeout(60_000);
  await open(page, ownWall.url, () => signInNewPerson(page, ownWall));
  await follows(page).focus();
  await page.keyboard.press('Space');
  await expect(follows(page)).not.toBeChecked();
  await page.keyboard.press('Tab');
  await expect(letter(page, 'Не присылать')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(letter(page, 'Раз в день')).toBeChecked();
  await expect(state(page, 'Сохранено')).toBeVisible();
  await expect(follows(page)).toHaveAccessibleDescription(/узнаёте\sи\sбез\sэтого/);
  await expectAccessible(page);
});

async function open(page: Page, url: string, signIn: () => Promise<unknown>): Promise<void> {
  await signIn();
  await page.goto(`${url}/settings/notifications`);
  await expect(follows(page)).toBeVisible();
}
