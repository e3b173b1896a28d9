import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import {
  card,
  cardOf,
  cards,
  choose,
  decide,
  dialogShows,
  hasTexts,
  toast,
} from '../../../../test/kit/screen/posts.ts';
import { openOn, openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

/** A wall with three posts of a person. */
async function openThree() {
  const wall = await openSeeded();
  const ids = await wall.seed.posts(['первая', 'вторая', 'третья'].map((text) => ({ by: wall.me, text })));
  return { ...wall, ids };
}

test('a deleted reply leaves the discussion at once, and the counts decrease', async () => {
  await using wall = await openSeeded();
  const id = await wall.post(wall.me, 'Корень');
  await wall.reply(wall.me, await wall.reply(wall.me, id, 'Ветка'), 'Лист');
  await using screen = await openScreen(wall, `/posts/${id}`, { as: wall.me });
  const countOf = (text: string) => textOf(cardOf(screen, text).getByRole('button', { name: /^Ответить/ }));
  const shows = (text: string, count: string) => screen.until(() => assert.equal(countOf(text), count));
  await shows('Корень', 'Ответить2');
  // The server deletes after its response: the event about the deletion would remove the card, too.
  const isShown = Promise.withResolvers<void>();
  screen.network.intercept(/^DELETE /, ({ forward }) => {
    void isShown.promise.then(forward);
    return new Response(null, { status: 204 });
  });
  const remove = async (text: string) => {
    await choose(screen, text, 'Удалить');
    await screen.findByRole('dialog', { name: 'Удалить ответ?' });
    await decide(screen, 'Удалить');
    await screen.until(() => assert.ok(!cards(screen).some((each) => textOf(each).includes(text))));
  };
  await remove('Лист');
  isShown.resolve();
  await shows('Корень', 'Ответить1');
  await remove('Ветка');
  await screen.findByText('Ответов пока нет');
  await shows('Корень', 'Ответить');
});

test('reports a post that is already deleted and removes it', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await choose(screen, 'вторая', 'Удалить');
  await screen.findByRole('dialog', { name: 'Удалить запись?' });
  // Nothing is deleted here: the event about it would remove the card, too.
  screen.network.intercept(/^DELETE /, () => Response.json({ code: 'NOT_FOUND', message: '' }, { status: 404 }));
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

test('the next post gets the focus also if the event about the deletion comes before the response', async () => {
  await using page = await openOn(await openThree(), '/');
  const { screen } = page;
  screen.network.intercept(/^DELETE /, async ({ forward }) => {
    const response = await forward();
    await hasTexts(screen, ['третья', 'первая']);
    return response;
  });
  await choose(screen, 'вторая', 'Удалить');
  await decide(screen, 'Удалить');
  await toast(screen, 'Удалено');
  await screen.until(() => assert.ok(screen.focused() === card(screen, 'первая')));
});
