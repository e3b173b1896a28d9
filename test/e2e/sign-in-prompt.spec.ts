import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { emailField } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await openPage(page, '/');
});

for (const [name, opener] of [
  ['Войти', (page: Page) => page.getByRole('button', { name: 'Войти' })],
  ['Новая запись', (page: Page) => page.getByRole('button', { name: 'Новая запись' })],
  ['Нравится', (page: Page) => cardOf(page, texts.discussed).getByRole('button', { name: 'Нравится' })],
  ['Ответить', (page: Page) => cardOf(page, texts.discussed).getByRole('button', { name: 'Ответить' })],
] as const) {
  test(`«${name}» asks a visitor to sign in; Escape returns the focus`, async ({ page, wall }) => {
    await opener(page).click();
    const dialog = page.getByRole('dialog', { name: 'Войти' });
    await expect(dialog).toBeVisible();
    await expect(emailField(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener(page)).toBeFocused();
    await expect(page).toHaveURL(`${wall.url}/`);
  });
}

test('the dialog traps the focus', async ({ page }) => {
  await page.getByRole('button', { name: 'Войти' }).click();
  const dialog = page.getByRole('dialog', { name: 'Войти' });
  await expect(dialog).toBeVisible();
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(() => document.activeElement!.matches('body *:not(dialog, dialog *)'));
    expect(outside).toBe(false);
  }
});

for (const [how, close] of [
  ['its cross', (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Закрыть' }).click()],
  ['a click beside it', (page: Page) => page.mouse.click(20, 300)],
] as const) {
  test(`the dialog closes by ${how} and opens again`, async ({ page }) => {
    const dialog = page.getByRole('dialog', { name: 'Войти' });
    for (let turn = 0; turn < 2; turn += 1) {
      await page.getByRole('button', { name: 'Войти' }).click();
      await expect(dialog).toBeVisible();
      await close(page);
      await expect(dialog).toBeHidden();
    }
  });
}
