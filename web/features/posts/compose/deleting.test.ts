import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import { cardOf, choose, decide, dialogShows, hasTexts, openSeeded, toast } from '../../../../test/kit/screen/posts.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

/** A wall with three posts of a person. */
async function openThree() {
  const wall = await openSeeded();
  const ids = await wall.seed.posts(['первая', 'вторая', 'третья'].map((text) => ({ by: wall.me, text })));
  return { ...wall, ids };
}

test('deleting a reply decreases the count', async () => {
  await using wall = await openSeeded();
  const id = await wall.post(wall.me, 'Корень');
  await wall.reply(wall.me, id, 'Ветка');
  await using screen = await openScreen(wall, `/posts/${id}`, { as: wall.me });
  const replies = () => textOf(cardOf(screen, 'Корень').getByRole('button', { name: /^Ответить/ }));
  await screen.until(() => assert.equal(replies(), 'Ответить1'));
  await choose(screen, 'Ветка', 'Удалить');
  await screen.findByRole('dialog', { name: 'Удалить ответ?' });
  await decide(screen, 'Удалить');
  await screen.findByText('Ответов пока нет');
  await screen.until(() => assert.equal(replies(), 'Ответить'));
});

test('reports a post that is already deleted and removes it', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await choose(screen, 'вторая', 'Удалить');
  await screen.findByRole('dialog', { name: 'Удалить запись?' });
  await wall.remove(wall.ids[1]!);
  await decide(screen, 'Удалить');
  await toast(screen, 'Сообщение не найдено');
  await hasTexts(screen, ['третья', 'первая']);
});

test('offline: the post stays, and deleting can be retried', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await choose(screen, 'вторая', 'Удалить');
  screen.network.setOnline(false);
  await decide(screen, 'Удалить');
  await dialogShows(screen, 'Нет соединения');
  await hasTexts(screen, ['третья', 'вторая', 'первая']);
  screen.network.setOnline(true);
  await decide(screen, 'Удалить');
  await hasTexts(screen, ['третья', 'первая']);
});
