import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { hasFocus } from '../../../../test/kit/screen/account.ts';
import { callsOf, cardOf, openMenu, publish, toast } from '../../../../test/kit/screen/posts.ts';
import { openOwnPage, openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

const foreign = ['Скопировать ссылку', 'Сохранить', 'Следить за обсуждением', 'Не показывать автора', 'Пожаловаться'];
const items = (screen: Screen): string[] => screen.queryAllByRole('menuitem').map(textOf);

test('an owner gets other items than other people', async () => {
  await using wall = await openSeeded();
  await wall.post(await wall.person('galina_m'), 'Чужая запись');
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await publish(screen, 'Своя запись');
  await openMenu(screen, 'Своя запись');
  await screen.until(() =>
    assert.deepEqual(items(screen).slice(1), ['Удалить', 'Скопировать ссылку', 'Сохранить', 'Не следить']),
  );
  assert.match(items(screen)[0]!, /^Изменить · \d+:\d\d$/);
  screen.press('Escape');
  await screen.until(() => assert.deepEqual(items(screen), []));
  await openMenu(screen, 'Чужая запись');
  await screen.until(() => assert.deepEqual(items(screen), foreign));
});

test('arrow keys move in the menu', async () => {
  await using page = await openOwnPage('/', {
    asVisitor: true,
    prepare: ({ seed, me }) => seed.posts([{ by: me, text: 'Запись' }]),
  });
  const { screen } = page;
  cardOf(screen, 'Запись').getByRole('button', { name: 'Действия с записью' }).focus();
  screen.press('Enter');
  await screen.until(() => assert.deepEqual(items(screen), foreign));
  const isOn = (place: number) => hasFocus(screen, screen.getAllByRole('menuitem')[place]!);
  await isOn(0);
  for (const [key, place] of [
    ['ArrowDown', 1],
    ['ArrowDown', 2],
    ['ArrowDown', 3],
    ['ArrowDown', 4],
    ['ArrowDown', 0],
    ['ArrowUp', 4],
    ['Home', 0],
    ['End', 4],
  ] as const) {
    screen.press(key);
    await isOn(place);
  }
});

test('items that wait for the server have their places for the keys and keep the focus', async () => {
  await using wall = await openSeeded();
  await wall.post(await wall.person('galina_m'), 'Чужая запись');
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const response = Promise.withResolvers<void>();
  screen.network.intercept(/^GET .*\/(bookmark|follow)$/, ({ forward }) => response.promise.then(forward));
  cardOf(screen, 'Чужая запись').getByRole('button', { name: 'Действия с записью' }).focus();
  screen.press('Enter');
  await screen.until(() => assert.deepEqual(items(screen), foreign));
  const all = screen.getAllByRole('menuitem');
  const waiting = (): string[] => all.filter((item) => item.hasAttribute('aria-disabled')).map(textOf);
  await hasFocus(screen, all[0]!);
  assert.deepEqual(waiting(), ['Сохранить', 'Следить за обсуждением']);
  screen.press('ArrowDown');
  await hasFocus(screen, all[1]!);
  screen.press('Enter');
  response.resolve();
  await screen.until(() => assert.deepEqual(waiting(), []));
  assert.ok(screen.focused() === all[1]);
  assert.deepEqual(callsOf(screen, /^PUT /), []);
  screen.press('Enter');
  await toast(screen, 'Сохранено');
});
