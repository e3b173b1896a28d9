import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { openDesk } from '../../../../test/kit/screen/desk.ts';
import { fail, first, reports, second, texts, third } from '../../../../test/kit/screen/reported.ts';
import { seedReported } from '../../../../test/kit/seed.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

test('the queue shows what was reported, by whom and why', async () => {
  await using desk = await openDesk({
    texts,
    async prepare({ seed }, { ids, author, reporters }) {
      const [reply] = await seed.replies(ids[0]!, [{ by: reporters[0]!.id, text: 'Жми сюда' }]);
      await seed.report(reply!, author.id);
      await seed.edit(ids[1]!, 'Все вы молодцы');
    },
  });
  const { screen, author, reporters, ids } = desk;
  assert.equal(screen.window.document.title, 'Модерация - Стена');
  assert.equal(desk.cards().length, 4);
  for (const shown of [author.name, 'Жалоб: 2', /Спам · /, ...reporters.map(({ name }) => name)]) {
    await desk.cardShows(first, shown);
  }
  await desk.cardShows(second, 'Текст с тех пор изменён');
  await desk.cardShows(second, 'Все вы молодцы');
  queriesIn(desk.card('Жми сюда')).getByRole('link', { name: new RegExp(first) });

  await screen.click(queriesIn(desk.card(third)).getByRole('link', { name: 'Обсуждение вокруг' }));
  await screen.until(() => assert.equal(screen.path(), `/posts/${ids[2]}`));
});

test('an empty queue says what that means, and can be looked at again', async () => {
  await using desk = await openDesk();
  const { screen, wall } = desk;
  await screen.findByRole('heading', { name: 'Жалоб нет' });
  await seedReported(wall, [first]);
  await screen.click(screen.getByRole('button', { name: 'Обновить' }));
  await desk.cardShows(first, first);
});

test('a queue that fails to load can be loaded again', async () => {
  await using desk = await openDesk({ texts, path: '/moderation/journal' });
  const { screen } = desk;
  const recover = screen.network.intercept(reports, fail);
  await screen.click(screen.getByRole('link', { name: 'Жалобы' }));
  await desk.mainShows('Не удалось загрузить');
  recover();
  await screen.click(screen.getByRole('button', { name: 'Повторить' }));
  await desk.cardShows(first, first);
});

test('the queue goes on by pages', async () => {
  await using desk = await openDesk({ texts: Array.from({ length: 13 }, (_, index) => `Запись номер ${index + 1}.`) });
  const { screen } = desk;
  assert.equal(desk.cards().length, 10);
  const recover = screen.network.intercept(reports, fail);
  await screen.click(screen.getByRole('button', { name: 'Показать ещё' }));
  await desk.mainShows('Нет соединения');
  recover();
  await screen.click(screen.getByRole('button', { name: 'Повторить' }));
  await screen.until(() => assert.equal(desk.cards().length, 13));
});

test('new reports are counted at the end of the list until they are loaded', async () => {
  await using desk = await openDesk({ texts });
  const { screen, wall } = desk;
  await seedReported(wall, ['Новая запись']);
  await screen.clock.advance(limits.pollMs);
  await desk.mainShows('Записей с жалобами: 4.');
  await desk.mainShows('С тех пор пожаловались ещё.');
  assert.equal(desk.cards().length, 3);
  await screen.click(screen.getByRole('button', { name: 'Новые жалобы: 1' }));
  await desk.cardShows('Новая запись', 'Новая запись');
  await desk.mainShows('Это все жалобы.');
});

test('the number of waiting reports is at the link to the desk', async () => {
  await using desk = await openDesk({ texts, path: '/moderation/people' });
  const { screen } = desk;
  const links = () => screen.getAllByRole('link', { name: /записей с жалобами: 3/ });
  // In the rail and in the bottom bar.
  await screen.until(() => assert.equal(links().length, 2));
  await screen.click(links()[0]!);
  await screen.until(() => assert.equal(desk.cards().length, 3));
  await desk.remove(first, 'Мошенничество');
  await desk.gone(first);
  await screen.click(screen.getAllByRole('link', { name: 'Лента' })[0]!);
  await screen.until(() => screen.getAllByRole('link', { name: /записей с жалобами: 2/ }));
});

test('settled reports are one line, which shows what was decided', async () => {
  await using desk = await openDesk({ texts });
  const { screen } = desk;
  assert.equal(screen.queryByText(/^Рассмотрено/), null);
  await desk.remove(first, 'Реклама или спам');
  await desk.mainShows('Рассмотрено: 1');
  await desk.gone(first);
  await desk.act(second, 'Оставить');
  await desk.choose('Нарушения нет');
  await desk.mainShows('Рассмотрено: 2');
  const details = screen
    .main()
    .getByText(/^Рассмотрено/)
    .closest('details')!;
  details.open = true;
  details.dispatchEvent(new screen.window.Event('toggle') as unknown as Event);
  const list = await screen.findByRole('list', { name: 'Рассмотренные' });
  await screen.until(() => assert.equal(queriesIn(list).getAllByRole('listitem').length, 2));
  assert.match(textOf(list), /оставлена.*Все вы дураки|убрана со стены.*Выиграй миллион!/s);
  assert.doesNotMatch(textOf(list), /Куплю гараж/);
});
