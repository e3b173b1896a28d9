import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, press, reports, shownName, signInAs } from '../../test/kit/screen/account.ts';
import { openOwnPage } from '../../test/kit/screen/seeded.ts';
import type { Screen } from '../../test/kit/screen/open-screen.ts';
import { textOf } from '../../test/kit/screen/queries.ts';

const shows = (screen: Screen, text: string) =>
  screen.until(() => assert.ok(textOf(screen.getByRole('main')).includes(text), text));

const hasTitle = (screen: Screen, title: string) =>
  screen.until(() => assert.equal(screen.window.document.title, `${title} - Стена`));

test('settings open after a visitor has signed in', async () => {
  await using page = await openOwnPage('/settings', { asVisitor: true });
  await press(page.screen, 'Войти');
  await using screen = await signInAs(page.screen, page.wall, page.person.email);
  await shows(screen, page.person.email);
  await shows(screen, page.person.name);
  assert.equal(screen.path(), '/settings');
  await hasTitle(screen, 'Настройки');
});

test('settings show the data of the account and link to the pages that change it', async () => {
  await using page = await openOwnPage('/settings');
  const { screen, person } = page;
  for (const [label, value, path, title] of [
    ['Электронная почта', person.email, '/settings/account/email', 'Электронная почта'],
    ['Имя пользователя', person.name, '/settings/account/username', 'Имя пользователя'],
    ['Устройства', '', '/settings/devices', 'Устройства'],
    ['Уведомления', '', '/settings/notifications', 'Уведомления'],
    ['Скрытые авторы', '', '/settings/muted', 'Скрытые авторы'],
    ['Мои данные', '', '/settings/data', 'Мои данные'],
    ['Токены для программ', '', '/settings/programs', 'Токены для программ'],
    ['Удалить учётную запись', '', '/settings/account/deletion', 'Удаление учётной записи'],
  ] as const) {
    const row = await screen.until(() => screen.main().getByRole('link', { name: new RegExp(`^${label}`) }));
    assert.ok(textOf(row).includes(value), label);
    await screen.click(row);
    await hasTitle(screen, title);
    assert.deepEqual([screen.path(), screen.loads], [path, []]);
    await screen.click(screen.getByRole('button', { name: 'Назад' }));
    await hasTitle(screen, 'Настройки');
  }
});

test('a failed download is reported and can be repeated', async () => {
  await using page = await openOwnPage('/settings');
  const { screen } = page;
  let saved = 0;
  Object.assign(screen.window.URL, { createObjectURL: () => `blob:${(saved += 1)}` });
  screen.network.setOnline(false);
  await press(screen, 'Скачать мои данные');
  await reports(screen, /Нет соединения/);
  screen.network.setOnline(true);
  await press(screen, 'Скачать мои данные');
  await screen.until(() => assert.equal(saved, 1));
  await reports(screen, '');
});

test('offline: a person who signs out stays signed in, and can sign out later', async () => {
  await using page = await openOwnPage('/settings');
  const { screen, person } = page;
  screen.network.setOnline(false);
  await press(screen, 'Выйти');
  await reports(screen, 'Нет соединения. Проверьте сеть и попробуйте ещё раз.');
  assert.equal(shownName(screen), person.name);
  screen.network.setOnline(true);
  await press(screen, 'Выйти');
  await button(screen.banner(), 'Войти');
});
