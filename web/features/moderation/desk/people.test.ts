import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrong } from '../../../../test/kit/sign-in.ts';
import { press } from '../../../../test/kit/screen/account.ts';
import { showsPath } from '../../../../test/kit/screen/views.ts';
import { deskOf, openDesk, type OpenDesk } from '../../../../test/kit/screen/desk.ts';
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
  await desk.formClosed();
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
  await screen.click(await screen.findByRole('button', { name: 'Отменить решение' }));
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
  await screen.click(await screen.findByRole('button', { name: 'Отменить решение' }));
  await desk.toastShows('Решение отменено');
  assert.equal(await statusOf(desk), 200);
});

test('the choice survives the way back from the code, and the code a lost response', async () => {
  await using desk = await openDesk({ path: `${people}/neighbour`, prepare: ({ seed }) => seed.person('neighbour') });
  const { screen, wall, me } = desk;
  await press(screen, 'Заблокировать');
  await desk.pick('Мошенничество');
  await desk.choose('Заблокировать');
  await desk.focused(() => screen.getByRole('textbox', { name: 'Код из письма' }));
  await desk.choose('Вернуться');
  await screen.until(() => assert.ok(screen.getByRole<HTMLInputElement>('radio', { name: 'Мошенничество' }).checked));
  await desk.choose('Заблокировать');
  const field = await codeField(screen);
  const code = await wall.mail.codeTo(me.email);
  screen.network.loseNext(blocks);
  screen.fill(field, code);
  await desk.dialogShows('Нет соединения');
  await desk.choose('Повторить');
  await desk.mainShows('Причина: Мошенничество');
});

test('people are found by the beginning of the name, also the blocked ones alone', async () => {
  await using desk = await openDesk({
    path: people,
    async prepare({ seed, operator }) {
      for (const name of ['anna_first', 'anna_second', 'boris_other']) await seed.person(name);
      await operator('block', 'anna_second', '--reason', 'спам');
    },
  });
  const { screen, wall, me } = desk;
  const hasRows = (...found: RegExp[]) =>
    screen.until(() => {
      assert.equal(rows(screen).length, found.length);
      for (const [index, row] of found.entries()) assert.match(rows(screen)[index]!, row);
    });
  await screen.until(() => assert.ok(rows(screen).length > 3));
  screen.fill(screen.getByRole('searchbox', { name: 'Начало имени' }), 'anna_');
  screen.press('Enter');
  await hasRows(/anna_first/, /anna_k/, /anna_second.*заблокирован/);
  await screen.click(screen.getByRole('link', { name: 'Заблокированные' }));
  await hasRows(/anna_second/);
  await screen.click(screen.getByRole('link', { name: /anna_second/ }));
  await showsPath(screen, `${people}/anna_second`);
  await screen.click(await screen.main().findByRole('link', { name: 'Записи на стене' }));
  await showsPath(screen, '/users/anna_second');
  for (const nobody of ['zzz', 'не имя', '%']) {
    await using page = await openScreen(wall, `${people}?q=${encodeURIComponent(nobody)}`, { as: me.id });
    await page.findByRole('heading', { name: 'Никого нет' });
  }
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

test('an owner appoints and dismisses with a fresh code; a moderator is not offered that', async () => {
  await using desk = await openDesk({
    path: `${people}/neighbour`,
    prepare: async ({ seed, anna }) => {
      await seed.person('neighbour');
      await seed.appoint(anna, 'owner');
    },
  });
  const { screen, wall, me } = desk;
  await press(screen, 'Назначить модератором');
  await desk.pick('Помогает вести стену');
  await desk.choose('Назначить');
  screen.fill(await codeField(screen), await wall.mail.codeTo(me.email));
  await desk.mainShows('модератор');
  await press(screen, 'Сделать владельцем');
  await desk.pick('Помогает вести стену');
  await desk.choose('Назначить');
  await desk.mainShows('владелец');
  await press(screen, 'Снять с роли');
  await desk.pick('Решили иначе');
  await desk.choose('Снять');
  await desk.toastShows('neighbour: больше не владелец');
  await screen.until(() => screen.main().getByRole('button', { name: 'Назначить модератором' }));
  await wall.operator('appoint', 'neighbour', '--owner', '--reason', 'так');
  await wall.operator('dismiss-moderator', me.name, '--reason', 'так');
  await wall.operator('appoint', me.name, '--reason', 'так');
  await using moderators = await screen.reload();
  await moderators.findByRole('button', { name: 'Заблокировать' });
  assert.equal(moderators.queryByRole('button', { name: /Снять с роли|Назначить/ }), null);
});

test('a block for a week says until when, and the journal undoes it', async () => {
  await using desk = await openDesk({ path: `${people}/neighbour`, prepare: ({ seed }) => seed.person('neighbour') });
  const { screen, wall, me } = desk;
  await press(screen, 'Заблокировать');
  await desk.pick('Мошенничество');
  await desk.pick('На 7 дней');
  await desk.choose('Заблокировать');
  screen.fill(await codeField(screen), await wall.mail.codeTo(me.email));
  await desk.mainShows(/Причина: Мошенничество.* · до /);
  await using journal = await screen.reload('/moderation/journal');
  const opened = deskOf(journal);
  await opened.mainShows(/Блокировка: neighbour.* · до /);
  await press(journal, 'Отменить решение');
  await opened.choose('Ошибка');
  await opened.toastShows('Решение отменено');
  assert.deepEqual(
    await wall.db.read.selectFrom('users').select('id').where('blocked_at', 'is not', null).execute(),
    [],
  );
});

test('a warning is made on the page of a person, and the person reads it once, wherever they are', async () => {
  await using desk = await openDesk({ path: `${people}/neighbour`, prepare: ({ seed }) => seed.person('neighbour') });
  const { screen, wall } = desk;
  await press(screen, 'Предупредить');
  await desk.choose('Оскорбления и травля');
  await desk.mainShows('Предупреждение ещё не прочитано: Оскорбления и травля');
  const { id } = await wall.db.read
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'neighbour')
    .executeTakeFirstOrThrow();
  await using page = await openScreen(wall, '/discussed', { as: id });
  await page.findByRole('dialog', { name: 'Предупреждение' });
  const dialog = deskOf(page);
  await dialog.dialogShows('Оскорбления и травля');
  page.network.loseNext(/^DELETE .*warning$/);
  await dialog.choose('Понятно');
  await dialog.dialogShows('Нет соединения');
  await dialog.choose('Понятно');
  await dialog.formClosed();
  await using again = await page.reload('/settings');
  await again.findByRole('heading', { name: 'Настройки' });
  assert.equal(again.queryByRole('dialog'), null);
  await using reloaded = await screen.reload();
  await reloaded.findByRole('button', { name: 'Предупредить' });
});
