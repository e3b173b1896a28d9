import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pill } from '../../../test/kit/screen/notifications.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { card, cardOf, cards, hasTexts, scrollUntil } from '../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { signedIn } from '../../../test/kit/signed-in.ts';

const author = 'galina_m';

/** Posts by one author; «Запись 1» is the newest. */
async function openFilled(posts: number) {
  const wall = await openSeeded();
  const by = await wall.seed.person(author);
  const texts = Array.from({ length: posts }, (_, index) => `Запись ${posts - index}`);
  await wall.seed.posts(texts.map((text) => ({ by, text, age: 3_600 })));
  return { ...wall, by };
}

const pillIsGone = (screen: Screen): Promise<void> =>
  screen.until(() => assert.ok(screen.queryByRole('button', { name: /^Показать новые/ }) === null));
const firstHasFocus = (screen: Screen): Promise<void> =>
  screen.until(() => assert.ok(screen.focused() === cards(screen)[0]));
const button = (screen: Screen, text: string, name: string): HTMLElement =>
  cardOf(screen, text).getByRole('button', { name: new RegExp(`^${name}`) });
const buttonSays = (screen: Screen, text: string, name: string, says: string): Promise<void> =>
  screen.until(() => assert.equal(textOf(button(screen, text, name)), says));

test('more new posts than one response contains restart the list', async () => {
  await using wall = await openFilled(15);
  await using screen = await openScreen(wall, '/');
  await wall.seed.posts(Array.from({ length: 64 }, (_, index) => ({ by: wall.by, text: `Новая ${64 - index}` })));
  await screen.until(async () => assert.equal(textOf(await pill(screen)), 'Показать новые: 64'));
  await screen.click(await pill(screen));
  await screen.until(() => assert.match(textOf(cards(screen)[0]!), /Новая 1(?!\d)/));
  await pillIsGone(screen);
  await scrollUntil(screen, 79);
  assert.match(textOf(cards(screen)[78]!), /Запись 15/);
});

test('an empty feed shows its first post immediately', async () => {
  await using wall = await openFilled(0);
  await using screen = await openScreen(wall, '/');
  await wall.seed.posts([{ by: wall.by, text: 'Самая первая' }]);
  await hasTexts(screen, ['Самая первая']);
  await pillIsGone(screen);
});

test('a failed request for new posts is reported and can be retried', async () => {
  await using wall = await openFilled(5);
  await using screen = await openScreen(wall, '/');
  await wall.seed.posts([{ by: wall.by, text: 'Новая' }]);
  const pressed = await pill(screen);
  const recover = screen.network.intercept(/\/posts\?/, () => Promise.reject(new TypeError()));
  await screen.click(pressed);
  const again = await screen.findByRole('button', { name: 'Не удалось. Повторить' });
  await screen.until(() => assert.ok(screen.focused() === again));
  recover();
  await screen.click(again);
  await screen.until(() => card(screen, 'Новая'));
  await firstHasFocus(screen);
  assert.ok(screen.queryByRole('button', { name: 'Не удалось. Повторить' }) === null);
});

test('an author’s page counts only the posts of that author', async () => {
  await using wall = await openFilled(3);
  await using screen = await openScreen(wall, `/users/${author}`);
  await wall.seed.posts([{ by: wall.me, text: 'Чужая' }]);
  await wall.seed.posts([{ by: wall.by, text: 'Новая' }]);
  const pressed = await pill(screen);
  assert.equal(textOf(pressed), 'Показать новые: 1');
  await screen.click(pressed);
  await hasTexts(screen, ['Новая', 'Запись 1', 'Запись 2', 'Запись 3']);
});

test('replies written while the reader was on another page are there on return', async () => {
  await using wall = await openFilled(3);
  const { seed, by } = wall;
  const [root] = await seed.posts([{ by, text: 'Вопрос' }]);
  await seed.replies(root!, [{ by, text: 'Первый ответ' }]);
  await using screen = await openScreen(wall, `/posts/${root}`);
  await screen.click(screen.getAllByRole('link', { name: author })[0]!);
  await hasTexts(screen, ['Вопрос', 'Запись 1', 'Запись 2', 'Запись 3']);
  await seed.replies(root!, [{ by, text: 'Новый ответ' }]);
  await buttonSays(screen, 'Вопрос', 'Ответить', 'Ответить2');
  await screen.click(screen.getByRole('button', { name: 'Назад' }));
  await screen.click(await screen.findByRole('button', { name: 'Новые ответы: 1' }));
  await screen.until(() => assert.match(textOf(screen.focused()), /Новый ответ/));
  assert.ok(screen.focused() === card(screen, 'Новый ответ'));
});

test('edits, counts and deletions by others appear on every page with the post', async () => {
  await using wall = await openFilled(3);
  const { seed, by } = wall;
  const [root, doomed] = await seed.posts(['Было так', 'Скоро удалят'].map((text) => ({ by, text })));
  await using screen = await openScreen(wall, '/');
  await seed.edit(root!, 'Стало иначе');
  await screen.until(() => assert.match(textOf(card(screen, 'Стало иначе')), /изменено/));
  await seed.like(root!, by);
  await seed.replies(root!, [{ by, text: 'Ответ' }]);
  await buttonSays(screen, 'Стало иначе', 'Нравится', 'Нравится1');
  await buttonSays(screen, 'Стало иначе', 'Ответить', 'Ответить1');
  await seed.unlike(root!, by);
  await buttonSays(screen, 'Стало иначе', 'Нравится', 'Нравится');
  await seed.remove(doomed!);
  await hasTexts(screen, ['Стало иначе', 'Запись 1', 'Запись 2', 'Запись 3']);
});

test('a post deleted while it is open shows a message, and so does its quotation', async () => {
  await using wall = await openFilled(3);
  const [root] = await wall.seed.posts([{ by: wall.by, text: 'Скоро удалят' }]);
  const [reply] = await wall.seed.replies(root!, [{ by: wall.by, text: 'Ответ на неё' }]);
  await using screen = await openScreen(wall, `/posts/${root}`);
  await using other = await openScreen(wall, `/posts/${reply}`);
  await wall.seed.remove(root!);
  await screen.findByRole('heading', { name: 'Запись не найдена' });
  await other.until(() => assert.match(textOf(other.getByRole('main')), /Запись удалена/));
});

test('two people in two browsers see each other’s changes', async () => {
  await using wall = await openFilled(0);
  const { me, by } = wall;
  const call = async (person: number, method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const { token } = await signedIn(wall.db, person);
    const headers = { authorization: `Bearer ${token}` };
    const response = await wall.app.inject({
      method,
      url: `/api/v1/posts${path}`,
      headers,
      ...(payload && { payload }),
    });
    assert.ok(response.statusCode < 300, response.body);
    return response.body && response.json();
  };
  await using mine = await openScreen(wall, '/', { as: me });
  await using other = await openScreen(wall, '/', { as: by });
  const { id } = await call(me, 'POST', '', { text: 'Кто здесь?' });
  for (const screen of [other, mine]) await hasTexts(screen, ['Кто здесь?']);
  await call(by, 'POST', `/${id}/likes`);
  await call(by, 'POST', `/${id}/replies`, { text: 'Я!' });
  await buttonSays(mine, 'Кто здесь?', 'Нравится', 'Нравится1');
  assert.equal(button(mine, 'Кто здесь?', 'Нравится').getAttribute('aria-pressed'), 'false');
  await buttonSays(mine, 'Кто здесь?', 'Ответить', 'Ответить1');
  await call(me, 'PATCH', `/${id}`, { text: 'Есть кто?' });
  await other.until(() => assert.match(textOf(card(other, 'Есть кто?')), /изменено/));
  await call(me, 'DELETE', `/${id}`);
  await other.until(() => assert.equal(cards(other).length, 0));
});

test('the focus moves from a post that others delete to the next one', async () => {
  await using wall = await openFilled(3);
  const doomed = await wall.seed.posts(['Первая', 'Вторая'].map((text) => ({ by: wall.by, text })));
  await using screen = await openScreen(wall, '/');
  const hasFocus = (text: string) => screen.until(() => assert.ok(screen.focused() === card(screen, text)));
  button(screen, 'Вторая', 'Нравится').focus();
  await wall.seed.remove(doomed[1]!);
  await hasFocus('Первая');
  await wall.seed.remove(doomed[0]!);
  await hasFocus('Запись 1');
});
