import { mainButton, openAs, paths, problem, row } from './support/account.ts';
import { codeField, dialog, openDialog, signInButton, wrong } from './support/sign-in.ts';
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

test('reports a wrong code and allows leaving the page', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  const { email } = await openAs(page, wall, paths.deletion);
  await mainButton(page, getCode).click();
  await codeField(page).fill(wrong(await mail.codeTo(email)));
  await mainButton(page, deleteAccount).click();
  await expect(problem(page)).toHaveText('Неверный код. Проверьте его и введите ещё раз.');
  await mainButton(page, 'Вернуться').click();
  await expect(mainButton(page, getCode)).toBeVisible();
  await page.goto(wall.url + paths.settings);
  await expect(row(page, 'Электронная почта')).toContainText(email);
});

test('a double click requests one code; a second code has to wait', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/429/);
  await openAs(page, wall, paths.deletion);
  const starts = callsOf(page, 'POST', /\/users\/current\/deletion$/);
  await mainButton(page, getCode).dblclick();
  await expect(codeField(page)).toBeFocused();
  expect(starts).toHaveLength(1);
  await mainButton(page, 'Вернуться').click();
  await page.reload();
  await mainButton(page, getCode).click();
  await expect(problem(page)).toHaveText(/Повторить можно через \d+\s(сек|мин)\.$/);
});

test('offline: reports the failure and succeeds on retry', async ({ page, context, wall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  const { email } = await openAs(page, wall, paths.deletion);
  await context.setOffline(true);
  await mainButton(page, getCode).click();
  await expect(problem(page)).toContainText('Нет соединения');
  await context.setOffline(false);
  await mainButton(page, getCode).click();
  const code = await mail.codeTo(email);
  await context.setOffline(true);
  await codeField(page).fill(code);
  await mainButton(page, deleteAccount).click();
  await expect(problem(page)).toContainText('Нет соединения');
  await context.setOffline(false);
  await mainButton(page, deleteAccount).click();
  await expect(toast(page, 'Учётная запись удалена')).toBeVisible();
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

test.describe('with codes that soon expire', () => {
  test.use({ settings: { CODE_RESEND_SECONDS: '1', CODE_TTL_SECONDS: '3' } });

  test('reports an expired code and requests a new one with one tap', async ({ page, ownWall, mail, pageErrors }) => {
    pageErrors.expect(/400/);
    const { email } = await openAs(page, ownWall, paths.deletion);
    await mainButton(page, getCode).click();
    const code = await mail.codeTo(email);
    await page.waitForTimeout(4_000);
    await codeField(page).fill(code);
    await mainButton(page, deleteAccount).click();
    await expect(problem(page)).toHaveText('Код больше не действует. Запросите новый.');
    await mainButton(page, /^Отправить код ещё раз/).click();
    await codeField(page).fill(await mail.codeTo(email));
    await mainButton(page, deleteAccount).click();
    await expect(toast(page, 'Учётная запись удалена')).toBeVisible();
  });
});

test('the address can be registered again afterwards', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  const { email } = await openAs(page, wall, paths.deletion);
  await mainButton(page, getCode).click();
  await codeField(page).fill(await mail.codeTo(email));
  await mainButton(page, deleteAccount).click();
  await expect(signInButton(page)).toBeVisible();
  await openDialog(page, wall.url);
  await dialog(page).getByRole('textbox').fill(email);
  await dialog(page).getByRole('button', { name: getCode }).click();
  await expect(dialog(page)).toContainText('ещё нет');
});
