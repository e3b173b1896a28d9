import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPerson } from '../../../../test/kit/seed.ts';
import { deskOf, openDesk, type OpenDesk } from '../../../../test/kit/screen/desk.ts';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

const text = 'Выиграй миллион!';
const entries = ({ screen }: Pick<OpenDesk, 'screen'>): HTMLElement[] =>
  queriesIn(screen.getByRole('list', { name: 'Журнал' })).getAllByRole('listitem');
const undoButton = (desk: OpenDesk, index: number) =>
  queriesIn(entries(desk)[index]!).queryByRole('button', { name: 'Отменить решение' });

test('the journal says who did what and why, and takes it back', async () => {
  await using desk = await openDesk({ texts: [text] });
  const { screen, wall, me, author } = desk;
  await desk.act(text, 'Оставить');
  await desk.choose('Спор, а не нарушение');
  await desk.gone(text);
  await wall.operator('block', author.name, '--reason', 'спам');

  await screen.click(screen.getByRole('link', { name: 'Журнал' }));
  const expected = [
    new RegExp(`Блокировка: ${author.name}.*спам`),
    new RegExp(`Запись оставлена: № 1.*Выиграй миллион!.*Спор.*${me.name}`),
    new RegExp(`Назначен модератор: ${me.name}`),
  ];
  await screen.until(() => assert.equal(entries(desk).length, expected.length));
  for (const [index, entry] of entries(desk).entries()) assert.match(textOf(entry), expected[index]!);
  assert.ok(undoButton(desk, 2) === null);

  await screen.click(undoButton(desk, 1)!);
  await desk.choose('Решили иначе');
  await desk.toastShows('Решение отменено');
  assert.ok(undoButton(desk, 1) === null);
  await desk.focused(() => entries(desk)[1]!);
  await using again = await openScreen(wall, '/moderation', { as: me.id });
  await again.until(() => assert.ok(deskOf(again).hasButton(text, 'Убрать со стены')));
});

test('an act that was taken back elsewhere says so', async () => {
  await using desk = await openDesk({
    texts: [text],
    path: '/moderation/journal',
    prepare: ({ operator }, { ids }) => operator('remove', `${ids[0]}`, '--reason', 'спам'),
  });
  const { screen, wall, ids } = desk;
  await wall.operator('restore', `${ids[0]}`, '--reason', 'ошиблись');
  await screen.click(undoButton(desk, 1)!);
  await desk.choose('Ошибка');
  await desk.toastShows('Это уже сделано, возможно, другим модератором');
});

test('a new invitation is a link with a QR code, and takes the focus once', async () => {
  await using desk = await openDesk({ path: '/moderation/invites' });
  const { screen } = desk;
  const release = Promise.withResolvers<void>();
  screen.network.intercept(/^GET .*\/moderation\/invites/, async ({ forward }) => {
    await release.promise;
    return forward();
  });
  const note = screen.getByRole('textbox', { name: 'Для кого' });
  screen.fill(note, 'Для соседа');
  await screen.click(screen.getByRole('button', { name: 'Сделать приглашение' }));
  const codes = await screen.findByRole('region', { name: 'Новые приглашения' });
  await desk.focused(() => queriesIn(codes).getByRole('button', { name: 'Скопировать' }));
  assert.match(textOf(codes), /\/join\/\w{5}-\w{5}/);
  assert.ok(queriesIn(codes).getByRole('img', { name: 'QR-код ссылки' }));
  assert.ok(queriesIn(codes).getByRole('button', { name: 'Напечатать объявление' }));
  note.focus();
  release.resolve();
  const made = await screen.findByRole('list', { name: 'Приглашения' });
  assert.equal(queriesIn(made).getAllByRole('listitem').length, 1);
  await desk.focused(() => note);
  await screen.click(queriesIn(made).getByRole('button', { name: 'Отозвать' }));
  await desk.choose('Больше не нужно');
  await desk.toastShows('Приглашение отозвано');
  await screen.until(() => assert.match(textOf(screen.getByRole('list', { name: 'Приглашения' })), /отозвано$/));
});

test('a moderator pins a post from its menu and unpins it', async () => {
  await using desk = await openDesk({
    path: '/moderation/pin',
    async prepare(wall) {
      await wall.seed.posts([{ by: (await newPerson(wall)).id, text: 'Завтра стена не работает' }]);
    },
  });
  const { wall, me } = desk;
  const heading = (name: string) => desk.screen.findByRole('heading', { name });
  await heading('Объявления нет');
  {
    await using screen = await openScreen(wall, '/', { as: me.id });
    await screen.click(await screen.findByRole('button', { name: 'Действия с записью' }));
    await screen.click(await screen.findByRole('menuitem', { name: 'Закрепить' }));
    const week = await screen.findByRole<HTMLInputElement>('radio', { name: 'Неделя' });
    assert.ok(week.checked);
    await screen.click(screen.main().getByRole('button', { name: 'Закрепить' }));
    await screen.findByRole('heading', { name: 'Сейчас закреплено' });
  }
  {
    await using screen = await openScreen(wall, '/', { as: me.id });
    const [pinned] = await screen.findAllByRole('region', { name: 'Объявление' });
    assert.match(textOf(pinned!), /Завтра стена не работает/);
  }
  {
    await using screen = await openScreen(wall, '/moderation/pin', { as: me.id });
    await screen.click(await screen.findByRole('button', { name: 'Открепить' }));
    await screen.findByRole('heading', { name: 'Объявления нет' });
  }
  await using screen = await openScreen(wall, '/', { as: me.id });
  assert.equal(screen.getAllByRole('article').length, 1);
  assert.ok(screen.queryByRole('region', { name: 'Объявление' }) === null);
  assert.ok(screen.queryByRole('dialog') === null);
});
