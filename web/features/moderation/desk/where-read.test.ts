import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deskOf } from '../../../../test/kit/screen/desk.ts';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import { choose, dialogShows, hasTexts, openMenu, openPost } from '../../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

async function openAsModerator(...texts: string[]) {
  const wall = await openSeeded({ RATE_LIMITS: 'off' });
  const author = await wall.seed.person('galina_m');
  await wall.seed.posts(texts.map((text) => ({ by: author, text })));
  await wall.seed.posts([{ by: wall.me, text: 'Своя' }]);
  await wall.seed.appoint(wall.anna);
  return wall;
}

test('a moderator removes a post in the feed in three taps, and takes it back', async () => {
  await using wall = await openAsModerator('Первая', 'Реклама');
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const desk = deskOf(screen);
  let taps = 0;
  screen.window.addEventListener('click', () => (taps += 1), true);
  await choose(screen, 'Реклама', 'Убрать со стены…');
  await desk.choose('Реклама или спам');
  await desk.toastShows('Убрано со стены: Реклама или спам');
  assert.ok(taps <= 3, `${taps} taps`);
  await hasTexts(screen, ['Своя', 'Первая']);
  await screen.click(await screen.findByRole('button', { name: 'Отменить решение' }));
  await desk.toastShows('Решение отменено');
  await hasTexts(screen, ['Своя', 'Реклама', 'Первая']);
});

test('a moderator who removes the post of the page is led to the feed', async () => {
  await using wall = await openAsModerator('Реклама');
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await openPost(screen, 'Реклама');
  await choose(screen, 'Реклама', 'Убрать со стены…');
  await deskOf(screen).choose('Мошенничество');
  await screen.until(() => assert.equal(screen.path(), '/'));
  await hasTexts(screen, ['Своя']);
});

test('nobody else has the item, nor a moderator for an own post', async () => {
  await using wall = await openAsModerator('Чужая');
  const other = await wall.seed.person('oleg_v');
  for (const [as, text] of [
    [wall.me, 'Своя'],
    [other, 'Чужая'],
  ] as const) {
    await using screen = await openScreen(wall, '/', { as });
    await openMenu(screen, text);
    await screen.until(() => assert.ok(screen.queryAllByRole('menuitem').length > 3));
    assert.ok(!screen.getAllByRole('menuitem').some((item) => textOf(item).includes('Убрать со стены')));
  }
});

test('a moderator closes a discussion: the page says so and takes no reply', async () => {
  await using wall = await openAsModerator('Спор');
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const desk = deskOf(screen);
  await openPost(screen, 'Спор');
  await choose(screen, 'Спор', 'Закрыть обсуждение…');
  await desk.choose('Вопрос решён');
  await desk.toastShows('Обсуждение закрыто');
  await desk.mainShows('Обсуждение закрыто: новых ответов не будет');
  assert.ok(screen.queryByRole('button', { name: 'Ответить первым' }) === null);
  await using visitor = await openScreen(wall, screen.path());
  await deskOf(visitor).mainShows('Обсуждение закрыто: новых ответов не будет');

  await screen.click(await screen.findByRole('button', { name: 'Отменить решение' }));
  await desk.toastShows('Решение отменено');
  await screen.until(() => assert.ok(!textOf(screen.getByRole('main')).includes('закрыто')));
  await choose(screen, 'Спор', 'Медленный режим…');
  await desk.choose('Один ответ в 5 минут');
  await desk.mainShows('Медленный режим: один ответ в 5 минут');
});

test('in the feed the form of a reply says that the discussion is closed', async () => {
  await using wall = await openAsModerator('Спор');
  await wall.operator('lock', '1', '--reason', 'Вопрос решён');
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await screen.click(screen.getAllByRole('button', { name: /^Ответить/ })[1]!);
  await dialogShows(screen, 'Обсуждение закрыто: новых ответов не будет');
  assert.ok(screen.dialog().queryByRole('textbox') === null);
});
