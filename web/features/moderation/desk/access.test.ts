import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press, signInAs } from '../../../../test/kit/screen/account.ts';
import { openOwnPage, openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { showsPath } from '../../../../test/kit/screen/views.ts';
import { openDesk } from '../../../../test/kit/screen/desk.ts';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

const pages = [
  ['Люди', 'Люди: модерация - Стена', '/moderation/people'],
  ['Приглашения', 'Приглашения: модерация - Стена', '/moderation/invites'],
  ['Журнал', 'Журнал: модерация - Стена', '/moderation/journal'],
  ['Объявление', 'Объявление: модерация - Стена', '/moderation/pin'],
  ['Жалобы', 'Модерация - Стена', '/moderation'],
] as const;

const isMissing = (screen: Screen) => screen.findByRole('heading', { name: 'Страница не существует' });
const titled = (screen: Screen, title: string) => screen.until(() => assert.equal(screen.window.document.title, title));

test('the settings lead moderators to the desk, and nobody else', async () => {
  await using page = await openOwnPage('/settings');
  const { wall, person } = page;
  await page.screen.findByRole('link', { name: /^Устройства/ });
  assert.ok(page.screen.queryByRole('link', { name: /^Модерация/ }) === null);
  await wall.seed.appoint(person);
  await using screen = await page.screen.reload();
  const row = () => screen.main().getByRole('link', { name: /^Модерация/ });
  await screen.click(await screen.until(row));
  await showsPath(screen, '/moderation');
  await titled(screen, 'Модерация - Стена');
  await press(screen, 'Назад', screen);
  await screen.until(row);
});

test('to everybody else the desk is a page that does not exist', async () => {
  await using page = await openOwnPage('/no/such/page');
  let { screen } = page;
  const shown = async () => {
    await isMissing(screen);
    return [textOf(screen.getByRole('main')), screen.window.document.title];
  };
  const same = await shown();
  for (const path of [...pages.map((each) => each[2]), '/moderation/blocked', '/moderation/people/somebody']) {
    screen = await screen.reload(path);
    assert.deepEqual(await shown(), same, path);
    assert.ok(screen.queryByRole('navigation', { name: 'Модерация' }) === null);
  }
  await screen.close();
});

test('what is shown while the desk is looked for does not say that there is one', async () => {
  await using wall = await openSeeded();
  const titles = new Set<string>();
  await using screen = await openScreen(wall, '/moderation', {
    as: wall.me,
    prepare: ({ window }) =>
      new window.MutationObserver(() => titles.add(window.document.title)).observe(window.document, {
        subtree: true,
        childList: true,
      }),
  });
  await isMissing(screen);
  titles.delete('');
  assert.deepEqual([...titles], ['Страница не существует - Стена']);
  assert.doesNotMatch((await wall.get('/moderation')).text, /одераци/);
});

test('a visitor is offered to sign in, as on other pages of signed-in people', async () => {
  await using page = await openOwnPage('/moderation', { asVisitor: true });
  await page.wall.seed.appoint(page.person);
  await isMissing(page.screen);
  await press(page.screen, 'Войти');
  await using screen = await signInAs(page.screen, page.wall, page.person.email);
  await screen.findByRole('heading', { name: 'Жалоб нет' });
});

test('somebody who is dismissed loses the desk with the next act', async () => {
  await using desk = await openDesk({ texts: ['Выиграй миллион!'] });
  await desk.wall.operator('dismiss-moderator', desk.me.name, '--reason', 'устал');
  await desk.remove('Выиграй миллион!', 'Мошенничество');
  // The page is loaded again.
  await desk.screen.until(() => assert.deepEqual(desk.screen.loads, ['/moderation']));
  await using screen = await desk.screen.reload();
  await isMissing(screen);
});

test('every page of the desk has its name, and the links between them say which one is shown', async () => {
  await using desk = await openDesk();
  const { screen } = desk;
  const link = (name: string) =>
    queriesIn(screen.getByRole('navigation', { name: 'Модерация' })).getByRole('link', { name });
  for (const [name, title, path] of pages) {
    await screen.click(link(name));
    await titled(screen, title);
    await showsPath(screen, path);
    await screen.until(() => assert.equal(link(name).getAttribute('aria-current'), 'page'));
  }
});
