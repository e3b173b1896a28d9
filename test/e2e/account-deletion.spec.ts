import { mainButton, openAs, paths, row } from './support/account.ts';
import { codeField, signInButton } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { callsOf, dropNextResponse, toast } from './support/writing.ts';

const getCode = 'Получить код';
const deleteAccount = 'Удалить учётную запись';

test('a confirmed deletion signs out every tab and mails the owner', async ({
  page,
  context,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/404/);
  const { name, email } = await openAs(page, ownWall, paths.settings, ['Моя запись']);
  const other = await context.newPage();
  await other.goto(ownWall.url);
  await expect(cardOf(other, 'Моя запись')).toBeVisible();
  await row(page, 'Удалить учётную запись').click();
  await expect(page).toHaveTitle('Удаление учётной записи - Стена');
  const main = page.getByRole('main');
  for (const consequence of ['исчезнут со стены', 'больше никто не получит', 'Все сеансы', 'нельзя']) {
    await expect(main).toContainText(consequence);
  }
  await mainButton(page, getCode).click();
  await expect(codeField(page)).toBeFocused();
  const verdicts = callsOf(page, 'POST', /\/deletion\/[^/]+\/verify$/);
  await codeField(page).fill(await mail.codeTo(email));
  await page.waitForTimeout(500);
  expect(verdicts, 'entering the sixth digit deletes nothing').toEqual([]);
  await mainButton(page, deleteAccount).click();

  await expect(toast(page, 'Учётная запись удалена')).toBeVisible();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(signInButton(page)).toBeVisible();
  await expect(signInButton(other)).toBeVisible();
  await expect(cardOf(page, 'Моя запись')).toHaveCount(0);
  const notice = await mail.mailTo(email, ({ text }) => text.includes('ваша учётная запись удалена'));
  expect(notice.text).toContain('все сеансы завершены');
  const author = await page.goto(`${ownWall.url}/users/${name}`);
  expect(author?.status()).toBe(404);
});

test('says nothing of a deletion when the session has ended elsewhere', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/401/);
  const { email, name } = await openAs(page, ownWall, paths.deletion);
  await mainButton(page, getCode).click();
  const code = await mail.codeTo(email);
  await ownWall.admin('close-sessions', name, '--reason', 'Потерян телефон');
  await codeField(page).fill(code);
  await mainButton(page, deleteAccount)
    .click({ timeout: 2_000 })
    .catch(() => {});
  await expect(toast(page, 'Сеанс завершён')).toBeVisible();
  await expect(toast(page, 'Учётная запись удалена')).toHaveCount(0);
});

test('says that the account is deleted when the response was lost', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/401|ERR_CONNECTION_RESET/);
  const { email } = await openAs(page, ownWall, paths.deletion);
  await mainButton(page, getCode).click();
  await codeField(page).fill(await mail.codeTo(email));
  await dropNextResponse(page, 'POST', /\/deletion\/[^/]+\/verify$/);
  await mainButton(page, deleteAccount).click();
  await expect(toast(page, 'Учётная запись удалена')).toBeVisible();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(toast(page, 'Сеанс завершён')).toHaveCount(0);
});
