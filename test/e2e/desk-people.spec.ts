import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { act, deskPaths, openDesk, openDeskAs, reported, seedReported } from './support/desk.ts';
import { codeField, newPerson, wrong } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, dropNextResponse, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

const blocks = /\/moderation\/people\/\w+\/block$/;
const people = (page: Page) => page.getByRole('list', { name: 'Люди' });
const main = (page: Page) => page.getByRole('main');

/** Opens the dialog of a person's page and chooses a reason. */
async function begin(page: Page, label: string, reason: string): Promise<void> {
  await main(page).getByRole('button', { name: label }).click();
  await page.getByRole('dialog').getByText(reason, { exact: true }).click();
}

test('a block asks for a fresh code and then goes on by itself', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/40[03]/);
  const { author, ids } = await seedReported(ownWall, ['Выиграй миллион!']);
  const me = await openDeskAs(page, ownWall);
  const calls = callsOf(page, 'POST', blocks);
  await act(page, 'Выиграй миллион!', 'Заблокировать').click();
  await expect(choice(page, 'Заблокировать')).toBeDisabled();
  await page.getByRole('dialog').getByText('Мошенничество').click();
  await page.getByRole('checkbox', { name: /Убрать все записи/ }).check();
  await choice(page, 'Заблокировать').click();
  await expect(codeField(page)).toBeFocused();
  await expectAccessible(page);
  const code = await mail.codeTo(me.email);
  await codeField(page).fill(wrong(code));
  await expect(page.getByRole('dialog')).toContainText('Неверный код');
  await codeField(page).fill(code);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(toast(page, `${author.name}: блокировка`)).toBeVisible();
  expect(calls).toHaveLength(2);
  await expect(reported(page, 'Выиграй миллион!')).toContainText('Автор заблокирован');
  expect((await page.request.get(`${ownWall.url}/api/v1/posts/${ids[0]}`)).status()).toBe(404);

  // The code is still fresh.
  await openDesk(page, ownWall, `${deskPaths.people}/${author.name}`);
  await expect(main(page)).toContainText(/Причина:\sМошенничество/);
  await expectAccessible(page);
  await begin(page, 'Снять блокировку', 'Ошибка');
  await page.getByRole('checkbox', { name: /Вернуть записи/ }).check();
  await choice(page, 'Снять блокировку').click();
  await expect(main(page).getByRole('button', { name: 'Заблокировать' })).toBeVisible();
  expect((await page.request.get(`${ownWall.url}/api/v1/posts/${ids[0]}`)).status()).toBe(200);

  await page.getByRole('button', { name: 'Отменить' }).click();
  await expect(main(page).getByRole('button', { name: 'Снять блокировку' })).toBeVisible();
});

test('a block that was undone at once brings the posts back, and the queue says so', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/403/);
  const { ids } = await seedReported(ownWall, ['Выиграй миллион!', 'Куплю гараж']);
  const me = await openDeskAs(page, ownWall);
  await act(page, 'Куплю гараж', 'Заблокировать').click();
  await page.getByRole('dialog').getByText('Мошенничество').click();
  await page.getByRole('checkbox', { name: /Убрать все записи/ }).check();
  await choice(page, 'Заблокировать').click();
  await codeField(page).fill(await mail.codeTo(me.email));
  for (const text of ['Выиграй миллион!', 'Куплю гараж']) {
    await expect(reported(page, text)).toContainText('Автор заблокирован');
  }
  await page.getByRole('button', { name: 'Отменить' }).click();
  await expect(reported(page, 'Куплю гараж')).toContainText('Блокировка отменена, записи возвращены');
  expect((await page.request.get(`${ownWall.url}/api/v1/posts/${ids[0]}`)).status()).toBe(200);
});

test('the choice survives the way back from the code, and the code a lost response', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/403|ERR_CONNECTION_RESET/);
  const { name } = await newPerson(ownWall);
  const me = await openDeskAs(page, ownWall, `${deskPaths.people}/${name}`);
  await begin(page, 'Заблокировать', 'Мошенничество');
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

test('the list of people goes on by pages', async ({ page, ownWall }) => {
  for (let index = 0; index < 12; index += 1) await ownWall.seed.person(`person_${String(index).padStart(2, '0')}x`);
  await openDeskAs(page, ownWall, `${deskPaths.people}?q=person_`);
  await expect(people(page).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'Показать ещё' }).click();
  await expect(page.getByRole('button', { name: 'Показать ещё' })).toHaveCount(0);
  const names = await people(page).getByRole('link').allTextContents();
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(12);
});

test('nobody blocked is said in words', async ({ page, ownWall }) => {
  await openDeskAs(page, ownWall, deskPaths.blocked);
  await expect(page.getByRole('heading', { name: 'Заблокированных нет' })).toBeVisible();
});

test('a person who does not exist is a missing page', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  await openDeskAs(page, ownWall);
  await page.goto(`${ownWall.url}/moderation/people/nobody_here`);
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
});
