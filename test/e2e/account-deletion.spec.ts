import { mainButton, openAs, paths } from './support/account.ts';
import { codeField, signInButton } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('a confirmed deletion signs out every tab', async ({ page, context, ownWall, mail }) => {
  const { email } = await openAs(page, ownWall, paths.deletion);
  const other = await context.newPage();
  await other.goto(ownWall.url);
  await mainButton(page, 'Получить код').click();
  await codeField(page).fill(await mail.codeTo(email));
  await mainButton(page, 'Удалить учётную запись').click();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  for (const tab of [page, other]) await expect(signInButton(tab)).toBeVisible();
});
