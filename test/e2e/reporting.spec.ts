import { expect, test } from './support/test.ts';
import { menuButton, signInNewPerson, toast } from './support/writing.ts';

test('a report works by keyboard alone', async ({ page, ownWall }) => {
  const text = 'Купите у меня гараж';
  await ownWall.seed.posts([{ by: await ownWall.seed.person('galina_m'), text }]);
  await signInNewPerson(page, ownWall);
  const dialog = page.getByRole('dialog', { name: 'Пожаловаться' });
  await menuButton(page, text).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Пожаловаться' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('radio').first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByLabel('Оскорбления и травля')).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Жалоба отправлена')).toBeVisible();
});
