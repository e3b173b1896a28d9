import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fireEvent } from '@testing-library/dom';
import { limits } from '#contract/limits.ts';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import {
  card,
  cardOf,
  choose,
  decide,
  dialogShows,
  hasTexts,
  openPost,
  toast,
} from '../../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

const all = ['третья', 'вторая', 'первая'];

/** A wall with three posts of a person. */
async function openThree() {
  const wall = await openSeeded();
  const ids = await wall.seed.posts(all.toReversed().map((text) => ({ by: wall.me, text })));
  return { ...wall, ids };
}

async function remove(screen: Screen, text: string): Promise<void> {
  await choose(screen, text, 'Удалить');
  await dialogShows(screen, 'Передумать можно в течение пяти минут');
  await decide(screen, 'Удалить');
}

const undoButton = (screen: Screen, message = 'Удалено'): Promise<HTMLElement> =>
  screen.until(() => {
    const button = screen.getByRole('button', { name: 'Вернуть' });
    assert.ok(textOf(button.closest('[role=status]')).includes(message), message);
    return button;
  });

async function undo(screen: Screen, message?: string): Promise<void> {
  const button = await undoButton(screen, message);
  await screen.click(button);
  await screen.until(() => assert.ok(!button.isConnected));
}

const isFocused = (screen: Screen, text: string): Promise<void> =>
  screen.until(() => assert.ok(screen.focused() === card(screen, text), `no focus: ${text}`));

test('a deleted post returns to its place with its likes, and gets the focus', async () => {
  await using wall = await openThree();
  await wall.seed.like(wall.ids[1]!, await wall.seed.person('boris_k'));
  await wall.seed.replies(wall.ids[1]!, [{ by: wall.me, text: 'Ответ' }]);
  const screen = await openScreen(wall, '/', { as: wall.me });
  await remove(screen, 'вторая');
  await hasTexts(screen, ['третья', 'первая']);
  const button = await undoButton(screen);
  button.click();
  button.click();
  await hasTexts(screen, all);
  assert.ok(queriesIn(await toast(screen, 'Возвращено')).queryByRole('link') === null);
  await isFocused(screen, 'вторая');
  const count = (name: RegExp) => textOf(cardOf(screen, 'вторая').getByRole('button', { name }));
  assert.deepEqual([count(/^Нравится/), count(/^Ответить/)], ['Нравится1', 'Ответить1']);
  await using again = await screen.reload();
  await hasTexts(again, all);
});

test('the message stays at least five seconds, and longer under the pointer and with the focus', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await remove(screen, 'вторая');
  const button = await undoButton(screen);
  await screen.clock.advance(5_000);
  fireEvent.pointerOver(button);
  await screen.clock.advance(limits.toastMs);
  button.focus();
  fireEvent.pointerOut(button);
  await screen.clock.advance(limits.toastMs);
  screen.press('Enter');
  await hasTexts(screen, all);
});

test('the key Z takes the deletion back, whatever has the focus', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await remove(screen, 'вторая');
  await isFocused(screen, 'первая');
  screen.press('z');
  await hasTexts(screen, all);
  await isFocused(screen, 'вторая');
});

test('after the open post was deleted, it can be restored on the page that follows', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await openPost(screen, 'первая');
  await remove(screen, 'первая');
  await screen.until(() => assert.equal(screen.path(), '/'));
  await hasTexts(screen, ['третья', 'вторая']);
  await undo(screen);
  await hasTexts(screen, all);
  await isFocused(screen, 'первая');
});

test('from a page that does not show it, a link leads to the restored post', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await remove(screen, 'вторая');
  await screen.click(screen.banner().getByRole('link', { name: 'anna_k' }));
  await screen.until(() => assert.match(screen.path(), /settings/));
  await undo(screen);
  await screen.click(queriesIn(await toast(screen, 'Возвращено')).getByRole('link', { name: 'Открыть' }));
  await screen.until(() => assert.match(screen.path(), /^\/posts\//));
  await screen.until(() => card(screen, 'вторая'));
});

test('one’s own list offers it after the message is gone, also after a reload', async () => {
  await using wall = await openThree();
  const screen = await openScreen(wall, '/own/posts', { as: wall.me });
  const deleted = (on: Screen) => textOf(on.queryByRole('list', { name: 'Удалённое' }));
  await remove(screen, 'вторая');
  await screen.until(() => assert.match(deleted(screen), /^Удалено: вторая/));
  const replies = await screen.reload('/own/replies');
  await replies.findByText('Записи не найдены');
  assert.equal(deleted(replies), '');
  await using posts = await replies.reload('/own/posts');
  await hasTexts(posts, ['третья', 'первая']);
  const list = queriesIn(await posts.findByRole('list', { name: 'Удалённое' }));
  await posts.click(list.getByRole('button', { name: 'Вернуть' }));
  await hasTexts(posts, all);
  await isFocused(posts, 'вторая');
  await posts.until(() => assert.equal(deleted(posts), ''));
});

test('a reply returns to its place in the discussion', async () => {
  await using wall = await openThree();
  const [root] = wall.ids;
  const [branch] = await wall.seed.replies(root!, [{ by: wall.me, text: 'Ветка' }]);
  await wall.seed.replies(branch!, [{ by: wall.me, text: 'Ниже' }]);
  await using screen = await openScreen(wall, `/posts/${root}`, { as: wall.me });
  const gone = () => screen.queryByRole('article', { name: 'Запись удалена' });
  await remove(screen, 'Ветка');
  await screen.until(() => assert.ok(gone()));
  await undo(screen);
  await screen.until(() => assert.ok(!gone()));
  await hasTexts(screen, ['Ветка', 'Ниже']);
  await remove(screen, 'Ниже');
  await hasTexts(screen, ['Ветка']);
  await undo(screen);
  await hasTexts(screen, ['Ветка', 'Ниже']);
  const replies = () => textOf(cardOf(screen, 'первая').getByRole('button', { name: /^Ответить/ }));
  await screen.until(() => assert.equal(replies(), 'Ответить2'));
});

test('it returns to the open pages of others, without being counted as new', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await using other = await openScreen(wall, '/');
  await remove(screen, 'вторая');
  await hasTexts(other, ['третья', 'первая']);
  await undo(screen);
  await hasTexts(other, all);
  assert.ok(other.queryByRole('button', { name: /Показать новые/ }) === null);
});

test('says that it is too late', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await remove(screen, 'вторая');
  await undoButton(screen);
  await wall.seed.purge(wall.ids[1]!);
  await undo(screen);
  await toast(screen, 'Вернуть уже нельзя');
  await hasTexts(screen, ['третья', 'первая']);
});

test('offline and after a lost response it can be tried again', async () => {
  await using wall = await openThree();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await remove(screen, 'вторая');
  await undoButton(screen);
  screen.network.setOnline(false);
  await undo(screen);
  await undoButton(screen, 'Нет соединения');
  screen.network.setOnline(true);
  screen.network.loseNext(/\/restoration$/);
  await undo(screen, 'Нет соединения');
  await undo(screen, 'Нет соединения');
  await toast(screen, 'Возвращено');
  await hasTexts(screen, all);
});
