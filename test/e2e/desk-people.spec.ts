import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { deskPaths, openDesk, openDeskAs } from './support/desk.ts';
import { codeField, newPerson } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { choice, dropNextResponse } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

const blocks = /\/moderation\/people\/\w+\/block$/;
const people = (page: Page) => page.getByRole('list', { name: 'Люди' });
const main = (page: Page) => page.getByRole('main');

test('the choice survives the way back from the code, and the code a lost response', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/403|ERR_CONNECTION_RESET/);
  const { name } = await newPerson(ownWall);
  const me = await openDeskAs(page, ownWall, `${deskPaths.people}/${name}`);
  await main(page).getByRole('button', { name: 'Заблокировать' }).click();
  await page.getByRole('dialog').getByText('Мошенничество', { exact: true }).click();
  await choice(page, 'Заблокировать').click();
  await expect(codeField(page)).toBeFocused();
  await choice(page, 'Вернуться').click();
  await expect(page.getByRole('radio', { name: 'Мошенничество' })).toBeChecked();
  await choice(page, 'Заблокировать').click();
  const code = await mail.codeTo(me.email);
  await dropNextResponse(page, 'POST', blocks);
  await codeField(page).fill(code);
  await expect(page.getByRole('dialog')).toContainText('Нет соединения');
  await choice(page, 'Повторить').click();
  await expect(main(page)).toContainText(/Причина:\sМошенничество/);
});

test('people are found by the beginning of the name, also the blocked ones alone', async ({ page, ownWall }) => {
  await ownWall.seed.person('anna_first');
  await ownWall.seed.person('anna_second');
  await ownWall.seed.person('boris_other');
  await ownWall.admin('block', 'anna_second', '--reason', 'спам');
  await openDeskAs(page, ownWall, deskPaths.people);
  await expect(people(page).getByRole('listitem')).toHaveCount(4);
  await expectAccessible(page);

  const field = page.getByRole('searchbox', { name: 'Начало имени' });
  await field.fill('anna');
  await page.keyboard.press('Enter');
  await expect(people(page).getByRole('listitem')).toHaveText([/anna_first/, /anna_second.*заблокирован/]);
  await page.getByRole('link', { name: 'Заблокированные' }).click();
  await expect(people(page).getByRole('listitem')).toHaveText([/anna_second/]);
  await people(page)
    .getByRole('link', { name: /anna_second/ })
    .click();
  await expect(page).toHaveURL(`${ownWall.url}/moderation/people/anna_second`);
  await main(page).getByRole('link', { name: 'Записи на стене' }).click();
  await expect(page).toHaveURL(`${ownWall.url}/users/anna_second`);

  for (const nobody of ['zzz', 'не имя', '%']) {
    await openDesk(page, ownWall, `${deskPaths.people}?q=${encodeURIComponent(nobody)}`);
    await expect(page.getByRole('heading', { name: 'Никого нет' })).toBeVisible();
  }
  await expectAccessible(page);
});
