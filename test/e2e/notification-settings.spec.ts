import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { mainButton } from './support/account.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson } from './support/writing.ts';

const path = '**/api/v1/users/current/notification-settings';

const follows = (page: Page) => page.getByRole('switch', { name: 'Следить за обсуждениями, в которых я отвечаю' });
const letter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Письмо о непрочитанном' }).getByLabel(name);
const state = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text });
const failure = (page: Page) => page.getByRole('main').getByRole('alert').filter({ hasText: /./ });

test('a failure keeps the choice and is repeated on request, without a shift; the page works by keyboard', async ({
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

  // By keyboard.
  await follows(page).focus();
  await page.keyboard.press('Space');
  await expect(follows(page)).not.toBeChecked();
  await page.keyboard.press('Tab');
  await expect(letter(page, 'Раз в день')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(letter(page, 'Не присылать')).toBeChecked();
  await expect(state(page, 'Сохранено')).toBeVisible();
  await expect(follows(page)).toHaveAccessibleDescription(/узнаёте\sи\sбез\sэтого/);
  await expectAccessible(page);
});

async function open(page: Page, url: string, signIn: () => Promise<unknown>): Promise<void> {
  await signIn();
  await page.goto(`${url}/settings/notifications`);
  await expect(follows(page)).toBeVisible();
}
