import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { newPerson, restoreSession, signInButton } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const renewal = '**/api/v1/sessions/current';
const line = (page: Page) => page.getByRole('status').filter({ hasText: 'Профиль не загрузился' });

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
