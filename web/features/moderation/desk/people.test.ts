import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrong } from '../../../../test/kit/sign-in.ts';
import { openDesk, type OpenDesk } from '../../../../test/kit/screen/desk.ts';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

const people = '/moderation/people';
const blocks = /^POST .*\/moderation\/people\/\w+\/block$/;

const codeField = (screen: Screen) => screen.findByRole('textbox', { name: 'Код из письма' });
const rows = (screen: Screen): string[] =>
  queriesIn(screen.getByRole('list', { name: 'Люди' }))
    .getAllByRole('listitem')
    .map(textOf);
const statusOf = async ({ wall, ids }: OpenDesk): Promise<number> => (await wall.get(`/api/v1/posts/${ids[0]}`)).status;

test('a block asks for a fresh code and then goes on by itself', async () => {
  await using desk = await openDesk({ texts: ['Выиграй миллион!'] });
  const { screen, wall, me, author } = desk;
  await desk.act('Выиграй миллион!', 'Заблокировать');
  await screen.until(() =>
    assert.ok(screen.dialog().getByRole<HTMLButtonElement>('button', { name: 'Заблокировать' }).disabled),
  );
  await desk.pick('Мошенничество');
  await screen.click(screen.getByRole('checkbox', { name: /Убрать все записи/ }));
  await desk.choose('Заблокировать');
  const field = await codeField(screen);
  await desk.focused(() => field);
  const code = await wall.mail.codeTo(me.email);
  screen.fill(field, wrong(code));
  await desk.dialogShows('Неверный код');
  screen.fill(field, code);
  await desk.dialogClosed();
  await desk.toastShows(`${author.name}: блокировка`);
  assert.equal(screen.network.requests.filter((request) => blocks.test(request)).length, 2);
  await screen.findByRole('heading', { name: 'Жалоб нет' });
  assert.equal(await statusOf(desk), 404);

  // The code is still fresh.
  await screen.click(screen.getByRole('link', { name: 'Люди' }));
  await screen.click(await screen.findByRole('link', { name: new RegExp(author.name) }));
  await desk.mainShows('Причина: Мошенничество');
  await screen.click(screen.main().getByRole('button', { name: 'Снять блокировку' }));
  await desk.pick('Ошибка');
  await screen.click(screen.getByRole('checkbox', { name: /Вернуть записи/ }));
  await desk.choose('Снять блокировку');
  await screen.until(() => screen.main().getByRole('button', { name: 'Заблокировать' }));
  assert.equal(await statusOf(desk), 200);

  await desk.toastShows('блокировка снята');
  await screen.click(await screen.findByRole('button', { name: 'Отменить' }));
  await screen.until(() => screen.main().getByRole('button', { name: 'Снять блокировку' }));
});

test('a block takes the reported posts of its author off the queue, and its undo brings them back to the wall', async () => {
  const texts = ['Выиграй миллион!', 'Куплю гараж'];
  await using desk = await openDesk({ texts });
  const { screen, wall, me } = desk;
  await desk.act('Куплю гараж', 'Заблокировать');
  await desk.pick('Мошенничество');
  await screen.click(screen.getByRole('checkbox', { name: /Убрать все записи/ }));
  await desk.choose('Заблокировать');
  screen.fill(await codeField(screen), await wall.mail.codeTo(me.email));
  await screen.findByRole('heading', { name: 'Жалоб нет' });
  assert.equal(await statusOf(desk), 404);
  await screen.click(await screen.findByRole('button', { name: 'Отменить' }));
  await desk.toastShows('Отменено');
  assert.equal(await statusOf(desk), 200);
});

test('the list of people goes on by pages', async () => {
  await using desk = await openDesk({
    path: `${people}?q=neighbour_`,
    async prepare({ seed }) {
      for (let index = 0; index < 12; index += 1) await seed.person(`neighbour_${String(index).padStart(2, '0')}x`);
    },
  });
  const { screen } = desk;
  await screen.until(() => assert.equal(rows(screen).length, 10));
  await screen.click(screen.getByRole('button', { name: 'Показать ещё' }));
  await screen.until(() => assert.ok(screen.queryByRole('button', { name: 'Показать ещё' }) === null));
  assert.equal(new Set(rows(screen)).size, 12);
  assert.equal(rows(screen).length, 12);
});

test('nobody blocked is said in words', async () => {
  await using desk = await openDesk({ path: '/moderation/blocked' });
  await desk.screen.findByRole('heading', { name: 'Заблокированных нет' });
});

test('a person who does not exist is a missing page', async () => {
  await using desk = await openDesk();
  const { wall, me } = desk;
  await using page = await openScreen(wall, `${people}/nobody_here`, { as: me.id });
  await page.findByRole('heading', { name: 'Страница не существует' });
});
