import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { openMenu, openSeeded, publish } from '../../../../test/kit/screen/posts.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

const foreign = ['Скопировать ссылку', 'Следить за обсуждением', 'Скрыть автора', 'Пожаловаться'];
const items = (screen: Screen): string[] => screen.queryAllByRole('menuitem').map(textOf);

test('an owner gets other items than other people', async () => {
  await using wall = await openSeeded();
  await wall.post(await wall.person('galina_m'), 'Чужая запись');
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await publish(screen, 'Своя запись');
  await openMenu(screen, 'Своя запись');
  await screen.until(() => assert.deepEqual(items(screen).slice(1), ['Удалить', 'Скопировать ссылку', 'Не следить']));
  assert.match(items(screen)[0]!, /^Изменить · \d+:\d\d$/);
  screen.press('Escape');
  await screen.until(() => assert.deepEqual(items(screen), []));
  await openMenu(screen, 'Чужая запись');
  await screen.until(() => assert.deepEqual(items(screen), foreign));
});
