import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  announces,
  button,
  callsOf,
  codeField,
  enterCode,
  hasFocus,
  openOwnPage,
  newPerson,
  pass,
  press,
  reports,
  useUpTries,
} from '../../../test/kit/screen/account.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { newAddress, wrong } from '../../../test/kit/sign-in.ts';

const path = '/settings/account/email';
const getCode = 'Получить код';
const resend = /^Отправить код ещё раз/;

const newEmailField = (screen: Screen) => screen.findByRole<HTMLInputElement>('textbox', { name: 'Новый адрес' });

async function askForCode(screen: Screen, email: string): Promise<void> {
  screen.fill(await newEmailField(screen), email);
  await press(screen, getCode);
  await hasFocus(screen, await codeField(screen));
}

async function expectChanged(screen: Screen, email: string): Promise<void> {
  await announces(screen, 'Адрес изменён');
  await screen.until(() => assert.equal(screen.path(), '/settings'));
  const row = await screen.main().findByRole('link', { name: /^Электронная почта/ });
  assert.match(textOf(row), new RegExp(email));
}

test('the form for a new address reports an invalid one as the sign-in form does', async () => {
  await using page = await openOwnPage(path);
  const { screen } = page;
  const field = await newEmailField(screen);
  field.focus();
  screen.press('Enter');
  await reports(screen, 'Введите email');
  screen.fill(field, 'anna@example');
  await reports(screen, 'Введите корректный email');
  assert.ok((await button(screen, getCode)).disabled);
});

test('a taken address can be replaced by another', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen } = page;
  screen.fill(await newEmailField(screen), (await newPerson(wall)).email);
  await press(screen, getCode);
  await reports(screen, 'Этот адрес уже занят.');
  assert.ok((await button(screen, getCode)).disabled);
  screen.fill(await newEmailField(screen), newAddress());
  await reports(screen, '');
  await press(screen, getCode);
  await hasFocus(screen, await codeField(screen));
});

for (const code of ['EMAIL_ALREADY_EXISTS', 'USER_NOT_FOUND']) {
  test(`${code} with the code returns to the address`, async () => {
    await using page = await openOwnPage(path);
    const { wall, screen } = page;
    const email = newAddress();
    await askForCode(screen, email);
    screen.network.intercept(/\/verify$/, () => Response.json({ code, message: 'Так не выйдет.' }, { status: 400 }));
    await enterCode(screen, await wall.mail.codeTo(email));
    await reports(screen, 'Так не выйдет.');
    assert.equal((await newEmailField(screen)).value, email);
  });
}

test('a wrong code for a new address is reported and selected, and can be overwritten', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen } = page;
  const email = newAddress();
  await askForCode(screen, email);
  const code = await wall.mail.codeTo(email);
  await enterCode(screen, wrong(code));
  await reports(screen, 'Неверный код. Проверьте его и введите ещё раз.');
  const field = await codeField(screen);
  await hasFocus(screen, field);
  assert.deepEqual([field.selectionStart, field.selectionEnd], [0, 6]);
  await enterCode(screen, code);
  await expectChanged(screen, email);
});

test('a reload returns to the code of a new address', async () => {
  await using page = await openOwnPage(path);
  const email = newAddress();
  await askForCode(page.screen, email);
  await using screen = await page.screen.reload();
  await hasFocus(screen, await codeField(screen));
  await enterCode(screen, await page.wall.mail.codeTo(email));
  await expectChanged(screen, email);
});

test('a new address can be changed before its code is entered', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen } = page;
  await askForCode(screen, newAddress());
  await press(screen, 'Изменить адрес');
  await hasFocus(screen, await newEmailField(screen));
  const email = newAddress();
  await askForCode(screen, email);
  await enterCode(screen, await wall.mail.codeTo(email));
  await expectChanged(screen, email);
});

test('a double click requests one code for a new address, and six digits are sent once', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen } = page;
  const email = newAddress();
  screen.fill(await newEmailField(screen), email);
  const ask = await button(screen, getCode);
  await screen.click(ask);
  ask.click();
  const code = await wall.mail.codeTo(email);
  for (let typed = 1; typed <= 6; typed += 1) await enterCode(screen, code.slice(0, typed));
  screen.press('Enter');
  await expectChanged(screen, email);
  const calls = [/^PUT .*\/users\/current\/email$/, /^PUT .*\/verify$/].map((call) => callsOf(screen, call).length);
  assert.deepEqual(calls, [1, 1]);
});

test('offline: a change of address reports the failure and succeeds on retry', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen } = page;
  const email = newAddress();
  screen.fill(await newEmailField(screen), email);
  screen.network.setOnline(false);
  await press(screen, getCode);
  await reports(screen, /Нет соединения/);
  screen.network.setOnline(true);
  await press(screen, getCode);
  await enterCode(screen, await wall.mail.codeTo(email));
  await expectChanged(screen, email);
});

test('too many taken addresses: the form says when to retry', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen } = page;
  for (let turn = 0; turn < 6; turn += 1) {
    screen.fill(await newEmailField(screen), (await newPerson(wall)).email);
    await press(screen, getCode);
    await reports(screen, '');
    await reports(screen, turn < 5 ? /занят/ : /Повторить можно через \d+ (мин|ч)\./);
  }
  assert.ok(!(await button(screen, getCode)).disabled);
  assert.ok(screen.banner().getByRole('link', { name: page.person.name }));
});

test('the code of a new address is invalid after five wrong tries; one tap requests another', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen } = page;
  const email = newAddress();
  await askForCode(screen, email);
  assert.ok((await button(screen, resend)).disabled);
  await useUpTries(screen, await wall.mail.codeTo(email), screen.main);
  await pass(wall, screen, 60);
  await press(screen, resend);
  await enterCode(screen, await wall.mail.codeTo(email));
  await expectChanged(screen, email);
});

test('an expired code of a new address is reported, and one tap requests a new one', async () => {
  await using page = await openOwnPage(path, { settings: { CODE_TTL_SECONDS: '120' } });
  const { wall, screen } = page;
  const email = newAddress();
  await askForCode(screen, email);
  const code = await wall.mail.codeTo(email);
  await pass(wall, screen, 121);
  await enterCode(screen, code);
  await reports(screen, 'Код больше не действует. Запросите новый.');
  await press(screen, resend);
  await enterCode(screen, await wall.mail.codeTo(email));
  await expectChanged(screen, email);
});
