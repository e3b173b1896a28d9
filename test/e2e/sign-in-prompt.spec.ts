import { dialogLeft, openPage } from './support/app.ts';
import { emailField } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await openPage(page, '/');
});

test('buttons that need an account ask a visitor to sign in; Escape returns the focus', async ({ page, wall }) => {
  const card = cardOf(page, texts.discussed);
  for (const opener of [
    page.getByRole('button', { name: 'Войти' }),
    page.getByRole('button', { name: 'Новая запись' }),
    card.getByRole('button', { name: 'Нравится' }),
    card.getByRole('button', { name: 'Ответить' }),
  ]) {
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Войти' });
    await expect(dialog).toBeVisible();
    await expect(emailField(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
    await expect(page).toHaveURL(`${wall.url}/`);
    await dialogLeft(page);
  }
});

test('the dialog traps the focus, closes by its cross and by a click beside it, and opens again', async ({ page }) => {
  const dialog = page.getByRole('dialog', { name: 'Войти' });
  const byCross = () => dialog.getByRole('button', { name: 'Закрыть' }).click();
  const beside = () => page.mouse.click(20, 300);
  for (const close of [byCross, byCross, beside, beside]) {
    await page.getByRole('button', { name: 'Войти' }).click();
    await expect(dialog).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
  }
  await page.getByRole('button', { name: 'Войти' }).click();
  await expect(dialog).toBeVisible();
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(() => document.activeElement!.matches('body *:not(dialog, dialog *)'));
    expect(outside).toBe(false);
  }
});
