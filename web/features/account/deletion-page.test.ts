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
  openSignIn,
  pass,
  press,
  reports,
  submitAddress,
} from '../../../test/kit/screen/account.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { wrong } from '../../../test/kit/sign-in.ts';

const path = '/settings/account/deletion';
const getCode = 'Получить код';
const deleteAccount = 'Удалить учётную запись';

test('a wrong code deletes no account and allows leaving the page', async () => {
  await using page = await openOwnPage(path);
  const { wall, person } = page;
  await press(page.screen, getCode);
  await enterCode(page.screen, wrong(await wall.mail.codeTo(person.email)));
  await press(page.screen, deleteAccount);
  await reports(page.screen, 'Неверный код. Проверьте его и введите ещё раз.');
  await press(page.screen, 'Вернуться');
  await button(page.screen.main(), getCode);
  await using screen = await page.screen.reload('/settings');
  const row = await screen.main().findByRole('link', { name: /^Электронная почта/ });
  assert.match(textOf(row), new RegExp(person.email));
});

test('a double click requests one code of a deletion; a second code has to wait', async () => {
  await using page = await openOwnPage(path);
  const ask = await button(page.screen.main(), getCode);
  await page.screen.click(ask);
  ask.click();
  await hasFocus(page.screen, await codeField(page.screen));
  assert.equal(callsOf(page.screen, /^POST .*\/users\/current\/deletion$/).length, 1);
  await press(page.screen, 'Вернуться');
  await using screen = await page.screen.reload();
  await press(screen, getCode);
  await reports(screen, /Повторить можно через \d+ (сек|мин)\.$/);
});

test('offline: a deletion reports the failure and succeeds on retry', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen, person } = page;
  screen.network.setOnline(false);
  await press(screen, getCode);
  await reports(screen, /Нет соединения/);
  screen.network.setOnline(true);
  await press(screen, getCode);
  const code = await wall.mail.codeTo(person.email);
  screen.network.setOnline(false);
  await enterCode(screen, code);
  await press(screen, deleteAccount);
  await reports(screen, /Нет соединения/);
  screen.network.setOnline(true);
  await press(screen, deleteAccount);
  await announces(screen, 'Учётная запись удалена');
});

test('an expired code of a deletion is reported, and one tap requests a new one', async () => {
  await using page = await openOwnPage(path, { settings: { CODE_TTL_SECONDS: '120' } });
  const { wall, screen, person } = page;
  await press(screen, getCode);
  const code = await wall.mail.codeTo(person.email);
  await pass(wall, screen, 121);
  await enterCode(screen, code);
  await press(screen, deleteAccount);
  await reports(screen, 'Код больше не действует. Запросите новый.');
  await press(screen, /^Отправить код ещё раз/);
  await enterCode(screen, await wall.mail.codeTo(person.email));
  await press(screen, deleteAccount);
  await announces(screen, 'Учётная запись удалена');
});

test('the address of a deleted account can be registered again', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen, person } = page;
  await press(screen, getCode);
  await enterCode(screen, await wall.mail.codeTo(person.email));
  await press(screen, deleteAccount);
  await button(screen.banner(), 'Войти');
  await openSignIn(screen);
  await submitAddress(screen, person.email);
  await screen.until(() => assert.match(textOf(screen.getByRole('dialog')), /ещё нет/));
});
