import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, codeField, enterCode, hasFocus, press, reports } from '../../../test/kit/screen/account.ts';
import { toast } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { newPerson } from '../../../test/kit/seed.ts';
import { newAddress } from '../../../test/kit/sign-in.ts';

const path = '/settings/account/email';
const getCode = 'Получить код';

const newEmailField = (screen: Screen) => screen.findByRole<HTMLInputElement>('textbox', { name: 'Новый адрес' });

async function askForCode(screen: Screen, email: string): Promise<void> {
  screen.fill(await newEmailField(screen), email);
  await press(screen, getCode);
  await hasFocus(screen, await codeField(screen));
}

async function expectChanged(screen: Screen, email: string): Promise<void> {
  await toast(screen, 'Адрес изменён');
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

test('detects a change of the address whose response was lost', async () => {
  await using page = await openOwnPage(path);
  const { wall, screen } = page;
  const email = newAddress();
  await askForCode(screen, email);
  screen.network.loseNext(/^PUT .*\/users\/current\/email\/[^/]+\/verify$/);
  await enterCode(screen, await wall.mail.codeTo(email));
  await reports(screen, /Нет соединения/);
  await press(screen, 'Продолжить');
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
