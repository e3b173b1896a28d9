import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  askForCode,
  button,
  codeField,
  hasFocus,
  openSignIn,
  press,
  reports,
  shownName,
  signInDialog,
  signedInPage,
  submitAddress,
} from '../../../test/kit/screen/account.ts';
import { callsOf } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { newPerson } from '../../../test/kit/seed.ts';
import { newAddress } from '../../../test/kit/sign-in.ts';

const openDialog = async (path = '/') => {
  const page = await openOwnPage(path, { asVisitor: true });
  return { ...page, field: await openSignIn(page.screen) };
};

const dialogSays = (screen: Screen, text: string) =>
  screen.until(() => assert.match(textOf(screen.getByRole('dialog')), new RegExp(text)));

async function signOut(screen: Screen): Promise<void> {
  await screen.click(screen.banner().getByRole('link', { name: shownName(screen)! }));
  await press(screen, 'Выйти');
  await button(screen.banner(), 'Войти');
}

test('an unknown address creates an account', async () => {
  await using page = await openDialog();
  const email = newAddress();
  await submitAddress(page.screen, email);
  await dialogSays(page.screen, `Учётной записи с адресом ${email} ещё нет\\.`);
  await hasFocus(page.screen, await button(signInDialog(page.screen), 'Продолжить'));

  await press(page.screen, 'Вернуться', signInDialog(page.screen));
  const field = await page.screen.findByRole<HTMLInputElement>('textbox', { name: 'Электронная почта' });
  assert.equal(field.value, email);
  await press(page.screen, 'Получить код', signInDialog(page.screen));
  await press(page.screen, 'Продолжить', signInDialog(page.screen));
  await dialogSays(page.screen, `Код отправлен на ${email}`);
  await using screen = await signedInPage(page.wall, page.screen, email);

  const name = shownName(screen)!;
  assert.match(name, /^user_/);
  await screen.click(screen.banner().getByRole('link', { name }));
  await screen.until(() => assert.equal(screen.path(), '/settings'));
  await screen.until(() => assert.match(textOf(screen.getByRole('main')), new RegExp(`${email}.*${name}`)));
});

test('a known person signs in on the same page, stays signed in and signs out', async () => {
  await using page = await openOwnPage('/', { asVisitor: true });
  const { wall, person } = page;
  const address = `/posts/${await wall.post(person.id, 'Какую книгу вы перечитываете?')}`;
  const visited = await page.screen.reload(address);
  await openSignIn(visited);
  await askForCode(visited, person.email);
  const entered = await signedInPage(wall, visited, person.email);
  assert.equal(entered.path(), address);
  assert.ok(entered.queryByRole('dialog') === null);
  const later = await entered.reload();
  assert.equal(shownName(later), person.name);

  await signOut(later);
  await later.until(() => assert.equal(later.path(), '/'));
  assert.ok(!later.network.cookies.has('session'));
  await using screen = await later.reload();
  await button(screen.banner(), 'Войти');
  assert.equal(shownName(screen), undefined);
});

test('Enter submits each step, and the address may have capitals and surrounding spaces', async () => {
  await using page = await openDialog();
  const { name, email } = page.person;
  page.screen.fill(page.field, ` ${email.toUpperCase()} `);
  page.screen.press('Enter');
  await hasFocus(page.screen, await codeField(page.screen));
  await using screen = await signedInPage(page.wall, page.screen, email);
  assert.equal(shownName(screen), name);
});

test('an invalid address is reported on Enter and on blur, and can be corrected', async () => {
  await using page = await openDialog();
  const { screen, field, person } = page;
  const dialog = () => signInDialog(screen);
  screen.press('Enter');
  await reports(screen, 'Введите email', dialog);
  screen.fill(field, 'anna@example');
  field.blur();
  await reports(screen, 'Введите корректный email', dialog);
  assert.ok((await button(dialog(), 'Получить код')).disabled);
  await askForCode(screen, person.email);
  await reports(screen, '', dialog);
});

test('the address can be changed at the code step', async () => {
  await using page = await openDialog();
  const { wall, person: mistaken } = page;
  const meant = await newPerson(wall);
  await askForCode(page.screen, mistaken.email);
  await press(page.screen, 'Изменить адрес', signInDialog(page.screen));
  const field = await page.screen.findByRole<HTMLInputElement>('textbox', { name: 'Электронная почта' });
  assert.equal(field.value, mistaken.email);
  await askForCode(page.screen, meant.email);
  await using screen = await signedInPage(wall, page.screen, meant.email);
  assert.equal(shownName(screen), meant.name);
});

for (const hours of [1, -1]) {
  test(`a clock that is wrong by ${hours} h. causes no error`, async () => {
    await using page = await openOwnPage('/', { asVisitor: true });
    const { wall, person } = page;
    await wall.post(await wall.person('boris_petrov'), 'Запись');
    wall.clock.now -= hours * 3_600;
    const visited = await page.screen.reload('/');
    await openSignIn(visited);
    await askForCode(visited, person.email);
    await using screen = await signedInPage(wall, visited, person.email);
    screen.network.requests.length = 0;
    await screen.click((await screen.findAllByRole('link', { name: 'boris_petrov' }))[0]!);
    await screen.until(() => assert.equal(screen.window.document.title, 'boris_petrov - Стена'));
    assert.deepEqual(callsOf(screen, /\/sessions\/current$/), []);
    await signOut(screen);
  });
}

test('mail that the mail server has accepted is said to have been', async () => {
  await using page = await openDialog();
  const { name, email } = page.person;
  await askForCode(page.screen, email);
  await mailIs(page.screen, /^Письмо принято почтовым сервером\./);
  await using screen = await signedInPage(page.wall, page.screen, email);
  assert.equal(shownName(screen), name);
});

test('mail in delivery is said to be sent', async () => {
  await using page = await openDialog();
  const { screen, person } = page;
  screen.network.intercept(/\/api\/v1\/mail\//, () => Response.json({ state: 'sending' }));
  await askForCode(screen, person.email);
  await screen.until(() => assert.ok(callsOf(screen, /\/mail\//).length > 0));
  await mailIs(screen, /^Отправляем письмо…$/);
  await dialogSays(screen, `Код придёт на ${person.email}`);
  assert.doesNotMatch(textOf(screen.getByRole('dialog')), /Код отправлен/);
});

test('mail that the mail server rejects is reported', async () => {
  await using page = await openDialog();
  const { wall, screen, person } = page;
  wall.mail.refuse((recipient) => (recipient === person.email ? 550 : undefined));
  await askForCode(screen, person.email);
  await mailIs(screen, /^Этот адрес не принимает почту\. Проверьте его\.$/);
  await dialogSays(screen, `Не удалось отправить код на ${person.email}`);
  assert.doesNotMatch(textOf(screen.getByRole('dialog')), /Код отправлен/);
  assert.ok(!(await button(signInDialog(screen), 'Изменить адрес')).disabled);
  wall.mail.refuse(undefined);
});

test('delayed mail is reported and delivered in the end', async () => {
  await using page = await openDialog();
  const { wall, person } = page;
  wall.mail.refuse((recipient) => (recipient === person.email ? 451 : undefined));
  await askForCode(page.screen, person.email);
  await mailIs(page.screen, /^Почтовый сервер пока не принял письмо\. Пробуем ещё, код придёт чуть позже\.$/);
  wall.mail.refuse(undefined);
  wall.clock.now += 10;
  await mailIs(page.screen, /^Письмо принято почтовым сервером\./);
  await using screen = await signedInPage(wall, page.screen, person.email);
  assert.equal(shownName(screen), person.name);
});

const mailIs = (screen: Screen, text: RegExp) =>
  screen.until(() => assert.match(textOf(signInDialog(screen).getByRole('status')), text));
