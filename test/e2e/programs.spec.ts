import { mainButton, openAs, paths, problem, row } from './support/account.ts';
import { expectAccessible } from './support/accessible.ts';
import { made, makeToken, nameField, noTokens, openPrograms, orderToken, scope, tokens } from './support/programs.ts';
import { codeField } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, dropNextResponse, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' }, permissions: ['clipboard-read', 'clipboard-write'] });

test('a token is made with a code, copied, used by a program and ended', async ({ page, ownWall, mail }) => {
  test.setTimeout(60_000);
  const person = await openAs(page, ownWall, paths.settings);
  await row(page, 'Токены для программ').click();
  await expect(page).toHaveTitle('Токены для программ - Стена');
  await expect(noTokens(page)).toBeVisible();
  await expect(mainButton(page, 'Получить код')).toBeDisabled();
  await orderToken(page, { name: 'бот погоды', scope: 'Читать и писать' });
  const verdicts = callsOf(page, 'POST', /\/tokens\/[^/]+\/verify$/);
  // What was chosen survives a reload, like the code that is awaited.
  await page.reload();
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(mainButton(page, 'Скопировать токен')).toBeFocused();
  expect(verdicts).toHaveLength(1);
  await expect(made(page)).toContainText(/больше\s+он\s+не\s+покажется/);
  await mainButton(page, 'Скопировать токен').click();
  await expect(toast(page, 'Скопировано')).toBeVisible();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  expect(token).toMatch(/^stena_[\w-]{43}$/);
  await expect(tokens(page)).toContainText(/бот погодыЧитать\sи\sписать\s·\sсоздан.*Ещё\sне\sиспользован/);
  await expect(nameField(page)).toHaveValue('');

  const publish = (text: string) =>
    fetch(`${ownWall.url}/api/v1/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
  const published = await publish('Завтра дождь');
  expect(published.status).toBe(201);
  expect(await published.json()).toMatchObject({ owner: { id: String(person.id) } });
  await page.reload();
  await expect(tokens(page)).toContainText(/Использован\s+только\s+что/);
  await expect(made(page)).toHaveCount(0);
  expect(await page.content()).not.toContain(token);

  const endings = callsOf(page, 'DELETE', /\/tokens\//);
  await tokens(page).getByRole('button', { name: 'Завершить' }).click();
  await choice(page, 'Отмена').click();
  await expect(tokens(page)).toHaveCount(1);
  await tokens(page).getByRole('button', { name: 'Завершить' }).click();
  await choice(page, 'Завершить').click();
  await expect(toast(page, 'Токен завершён')).toBeVisible();
  await expect(noTokens(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Ваши токены' })).toBeFocused();
  expect(endings).toHaveLength(1);
  expect((await publish('Ещё')).status).toBe(401);
});

test('what fails is said: a rejected name, a list that does not load, an end that is lost', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/400|ERR_FAILED|ERR_CONNECTION_RESET/);
  const person = await openPrograms(page, ownWall);
  await orderToken(page, { name: '\u2800' });
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(problem(page)).toHaveText(/^Назовите токен иначе/);
  await makeTokenAgain();
  await dropNextResponse(page, 'DELETE', /\/tokens\/\d+$/);
  await page.route(/\/users\/current\/tokens$/, (route) => route.abort());
  await tokens(page).getByRole('button', { name: 'Завершить' }).click();
  await choice(page, 'Завершить').click();
  await expect(toast(page, 'Нет соединения')).toBeVisible();
  await expect(tokens(page)).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.unroute(/\/users\/current\/tokens$/);
  await mainButton(page, 'Повторить').click();
  await expect(noTokens(page)).toBeVisible();

  async function makeTokenAgain() {
    await makeToken(page, mail, person, { name: 'бот' });
  }
});

test('is accessible and works by keyboard', async ({ page, ownWall, mail }) => {
  test.setTimeout(90_000);
  const person = await openPrograms(page, ownWall);
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
