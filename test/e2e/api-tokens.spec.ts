import { mainButton } from './support/account.ts';
import { expectAccessible } from './support/accessible.ts';
import { nameField, openApiTokens, scope, tokens } from './support/api-tokens.ts';
import { codeField } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { choice } from './support/writing.ts';

test('is accessible and works by keyboard', async ({ page, ownWall, mail }) => {
  const person = await openApiTokens(page, ownWall);
  await expectAccessible(page);
  await nameField(page).focus();
  await page.keyboard.type('архив');
  await page.keyboard.press('Tab');
  await expect(scope(page, 'Только читать')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(scope(page, 'Читать и писать')).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(await mail.codeTo(person.email));
  await expect(mainButton(page, 'Скопировать токен')).toBeFocused();
  await expectAccessible(page);
  await tokens(page).getByRole('button', { name: 'Завершить' }).focus();
  await page.keyboard.press('Enter');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await expectAccessible(page);
});
