import { expectAccessible } from './support/accessible.ts';
import { mainButton } from './support/account.ts';
import { openDeskAs } from './support/desk.ts';
import {
  button,
  codeField,
  dialog,
  emailField,
  newAddress,
  newPerson,
  openDialog,
  profileLink,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('who comes with a code, and the tree that grows', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await ownWall.admin('registration', 'members', '--reason', 'свои');
  const inviter = await newPerson(ownWall);
  const code = await ownWall.seed.invitation(inviter);
  await openDialog(page, ownWall.url);
  await expect(dialog(page).getByText(/^Впервые здесь\?/)).toBeVisible();
  await expect(emailField(page)).toBeFocused();
  await expectAccessible(page);
  const email = newAddress();
  await emailField(page).fill(email);
  await page.getByRole('textbox', { name: 'Код приглашения' }).fill(code);
  await button(page, 'Получить код').click();
  await button(page, 'Продолжить').click();
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toBeVisible();
  await page.context().clearCookies();

  await openDeskAs(page, ownWall, `/moderation/people/${inviter.name}`);
  await expect(page.getByRole('list', { name: 'Кого пригласил' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  await mainButton(page, 'Заблокировать всю ветку').click();
  await expectAccessible(page);
});
