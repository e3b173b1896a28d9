import type { Page, Route } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { dialog, newPerson, profileLink, restoreSession, signInButton } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { newPostButton, textField } from './support/writing.ts';

const renewal = '**/api/v1/sessions/current';
const line = (page: Page) => page.getByRole('status').filter({ hasText: 'Профиль не загрузился' });
const retry = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Повторить' });
const flag = (page: Page) => page.evaluate(() => localStorage.getItem('signed-in'));

const failures: Array<{ what: string; respond: (route: Route) => Promise<void>; error: RegExp }> = [
  { what: 'a server error', respond: (route) => route.fulfill({ status: 500, json: {} }), error: /500/ },
  {
    what: 'a dropped connection',
    respond: (route) => route.abort('connectionreset'),
    error: /ERR_CONNECTION_RESET/,
  },
];

for (const { what, respond, error } of failures) {
  test(`after ${what} the page is shown as to a visitor, reports the failure and recovers on a click`, async ({
    page,
    wall,
    pageErrors,
  }) => {
    pageErrors.expect(error);
    const person = await newPerson(wall);
    await restoreSession(page, wall, person);
    await page.route(renewal, respond);
    await page.reload();
    await expect(line(page)).toBeVisible({ timeout: 10_000 });
    await cardOf(page, 'boris_petrov').first().getByRole('button', { name: 'Нравится' }).click();
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'boris_petrov' }).first().click();
    await expect(page).toHaveTitle('boris_petrov - Стена');
    expect(await flag(page)).not.toBeNull();

    await page.unroute(renewal);
    await retry(page).click();
    await expect(profileLink(page)).toHaveText(person.name);
    await expect(line(page)).toHaveCount(0);
    await expect(signInButton(page)).toHaveCount(0);
  });
}

test('a page of the person’s own reports the failure and loads by itself later', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/500/);
  const person = await newPerson(wall);
  await restoreSession(page, wall, person);
  await page.route(renewal, (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/liked');
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible({ timeout: 10_000 });
  await expect(page).toHaveTitle('Понравившиеся - Стена');
  await retry(page).click();
  await expect(retry(page)).toHaveAttribute('aria-busy', 'false');
  await expect(line(page)).toHaveCount(0);
  await page.unroute(renewal);
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible({ timeout: 10_000 });
  await expect(profileLink(page)).toHaveText(person.name);
});

test('an action started meanwhile continues once the session is loaded', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/500/);
  await restoreSession(page, wall, await newPerson(wall));
  await page.route(renewal, (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await expect(line(page)).toBeVisible({ timeout: 10_000 });
  await newPostButton(page).click();
  await expect(dialog(page)).toBeVisible();
  await page.unroute(renewal);
  await expect(dialog(page)).toBeHidden({ timeout: 10_000 });
  await expect(textField(page)).toBeFocused();
});

test('signing in or out in another tab ends the retries', async ({ page, context, wall, pageErrors }) => {
  pageErrors.expect(/500/);
  const person = await newPerson(wall);
  await restoreSession(page, wall, person);
  await page.route(renewal, (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible({ timeout: 10_000 });

  const other = await context.newPage();
  await other.goto('/settings');
  await expect(other.getByRole('button', { name: 'Выйти' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Выйти' })).toBeVisible();

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible({ timeout: 10_000 });
  await other.getByRole('button', { name: 'Выйти' }).click();
  await hydrated(page);
  await expect(page).toHaveURL('/');
  await expect(signInButton(page)).toBeVisible();
  await expect(line(page)).toHaveCount(0);
});
