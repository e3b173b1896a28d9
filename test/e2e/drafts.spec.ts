import { openPage } from './support/app.ts';
import { dialog, newPerson, signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { newPostButton, publish } from './support/writing.ts';

test('signing in in another tab continues the writing in this one', async ({ page, context, ownWall, mail }) => {
  const person = await newPerson(ownWall);
  await openPage(page, ownWall.url);
  await newPostButton(page).click();
  await expect(dialog(page)).toBeVisible();
  const other = await context.newPage();
  await signIn(other, mail, ownWall.url, person);
  await expect(page.getByRole('dialog', { name: 'Новая запись' })).toBeVisible();
  await page.keyboard.press('Escape');
  await publish(page, 'Отсюда');
});
