import { askForCode, codeField, dialog, newPerson, signIn } from './support/door.ts';
import { expect, test } from './support/test.ts';

test('settings that nobody is signed in to see offer to sign in, and open after it', async ({ page, wall, mail }) => {
  const { name, email } = await newPerson(wall);
  await page.goto('/settings');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
  await main.getByRole('button', { name: 'Войти' }).click();
  await expect(dialog(page)).toBeVisible();
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(main).toContainText(email);
  await expect(main).toContainText(name);
  await expect(page).toHaveURL('/settings');
  await expect(page).toHaveTitle('Настройки - Стена');
});

test('settings tell what the wall knows of a person', async ({ page, wall, mail }) => {
  const { name, email } = await newPerson(wall);
  await signIn(page, mail, wall.url, { name, email });
  await page.goto('/settings');
  const value = (label: string) =>
    page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd');
  await expect(value('Электронная почта')).toHaveText(email);
  await expect(value('Имя пользователя')).toHaveText(name);
});
