import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { card, choose, decide, hasTexts } from '../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { chooseView, showsPath, switcher, titleOf, views } from '../../../test/kit/screen/views.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';

/** A wall with two people. */
async function openPeople() {
  const wall = await openSeeded();
  return { ...wall, boris: await wall.seed.person('boris_petrov') };
}

const isEmpty = (screen: Screen) => screen.findByRole('heading', { name: 'Записи не найдены' });

test('liked posts, the latest like first, a reply with the post it replies to', async () => {
  await using wall = await openPeople();
  const { seed, me, boris: by } = wall;
  const [early, late, unloved] = await seed.posts(['Ранняя', 'Поздняя', 'Чужая'].map((text) => ({ by, text })));
  const [replied] = await seed.replies(unloved!, [{ by, text: 'Ответ' }]);
  for (const id of [late!, replied!, early!]) await seed.like(id, me);
  await using screen = await openScreen(wall, '/', { as: me });
  await chooseView(screen, 'Понравившиеся');
  await hasTexts(screen, ['Ранняя', 'Ответ', 'Поздняя']);
  await showsPath(screen, '/liked');
  const reply = card(screen, 'Чужая');
  assert.equal(textOf(reply.querySelector(':scope > [dir=auto]')), 'Ответ');
  queriesIn(reply).getByRole('link', { name: /Чужая/ });
  const likes = screen.getAllByRole('button', { name: /^Нравится/ });
  assert.deepEqual(
    likes.map((like) => like.getAttribute('aria-pressed')),
    ['true', 'true', 'true'],
  );
});

test('own posts and replies, newest first, each kind in its own list', async () => {
  await using wall = await openPeople();
  const { seed, me, boris } = wall;
  const [his, gone] = await seed.posts(['Запись Бориса', 'Скоро удалю'].map((text) => ({ by: boris, text })));
  await seed.posts(['Первая моя', 'Вторая моя'].map((text) => ({ by: me, text })));
  await seed.replies(his!, [{ by: me, text: 'Мой ответ Борису' }]);
  await seed.replies(gone!, [{ by: me, text: 'Мой ответ в пустоту' }]);
  await seed.remove(gone!);
  await using screen = await openScreen(wall, '/', { as: me });
  await chooseView(screen, 'Мои записи');
  await hasTexts(screen, ['Вторая моя', 'Первая моя']);
  await chooseView(screen, 'Мои ответы');
  await hasTexts(screen, ['Мой ответ в пустоту', 'Мой ответ Борису']);
  assert.match(textOf(card(screen, 'Мой ответ в пустоту')), /Запись удалена/);
  await screen.click(queriesIn(card(screen, 'Мой ответ Борису')).getByRole('link', { name: /Запись Бориса/ }));
  await showsPath(screen, `/posts/${his}`);
});

test('each private list has its title and no back button, and says when it is empty', async () => {
  await using wall = await openPeople();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  for (const name of views.slice(1)) {
    await chooseView(screen, name);
    await screen.until(() => assert.equal(titleOf(screen), name));
    await screen.until(() => assert.equal(screen.window.document.title, `${name} - Стена`));
    await isEmpty(screen);
    assert.match(textOf(screen.getByRole('main')), /Возможно, записи скоро появятся/);
    assert.equal(screen.queryByRole('button', { name: 'Назад' }), null);
    await screen.until(() => assert.ok(screen.focused() === screen.getByRole('main')));
  }
});

test('the address of a private list can be opened directly', async () => {
  await using wall = await openPeople();
  await wall.seed.posts([{ by: wall.me, text: 'Моя запись' }]);
  assert.doesNotMatch((await wall.get('/own/posts')).text, /Моя запись/);
  const first = await openScreen(wall, '/own/posts', { as: wall.me });
  await hasTexts(first, ['Моя запись']);
  await using screen = await first.reload();
  await hasTexts(screen, ['Моя запись']);
  assert.equal(screen.window.document.title, 'Мои записи - Стена');
});

test('a private list that is loading shows skeletons of posts', async () => {
  await using wall = await openPeople();
  const asked = Promise.withResolvers<void>();
  await using screen = await openScreen(wall, '/liked', {
    as: wall.me,
    prepare: ({ network }) => network.intercept(/\/posts\?/, ({ forward }) => asked.promise.then(forward)),
  });
  await screen.until(() => assert.ok(screen.getByRole('main').querySelector('[aria-busy=true]')));
  assert.equal(titleOf(screen), 'Понравившиеся');
  asked.resolve();
  await isEmpty(screen);
});

for (const how of ['chosen', 'opened']) {
  test(`a private list that fails when ${how} can be retried`, async () => {
    await using wall = await openPeople();
    let failures = 1;
    await using screen = await openScreen(wall, how === 'chosen' ? '/' : '/liked', {
      as: wall.me,
      prepare: ({ network }) =>
        network.intercept(/\/posts\?.*filter=liked/, ({ forward }) =>
          (failures -= 1) < 0 ? forward() : Response.json({}, { status: 503 }),
        ),
    });
    if (how === 'chosen') {
      await screen.until(() => assert.ok(screen.banner().getByText('anna_k')));
      await chooseView(screen, 'Понравившиеся');
    }
    await screen.findByRole('heading', { name: 'Не удалось загрузить' });
    assert.ok(switcher(screen));
    await screen.click(screen.getByRole('button', { name: 'Повторить' }));
    await isEmpty(screen);
  });
}

test('selecting a private list reloads it', async () => {
  await using wall = await openPeople();
  await wall.seed.posts([{ by: wall.me, text: 'Первая' }]);
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await chooseView(screen, 'Мои записи');
  await hasTexts(screen, ['Первая']);
  await wall.seed.posts([{ by: wall.me, text: 'Вторая' }]);
  await chooseView(screen, 'Мои ответы');
  await isEmpty(screen);
  await chooseView(screen, 'Мои записи');
  await hasTexts(screen, ['Вторая', 'Первая']);
});

test('a removed like leaves the list on the next visit and can be given again until then', async () => {
  await using wall = await openPeople();
  const { seed, me, boris: by } = wall;
  const ids = await seed.posts(['Первая', 'Вторая', 'Чужая'].map((text) => ({ by, text })));
  for (const id of ids.slice(0, 2)) await seed.like(id, me);
  await using screen = await openScreen(wall, '/', { as: me });
  await chooseView(screen, 'Понравившиеся');
  await hasTexts(screen, ['Вторая', 'Первая']);
  const like = () => queriesIn(card(screen, 'Первая')).getByRole('button', { name: /^Нравится/ });
  for (const pressed of ['false', 'true', 'false']) {
    await screen.click(like());
    await screen.until(() => assert.equal(like().getAttribute('aria-pressed'), pressed));
  }
  await screen.until(async () => assert.equal((await wall.get(`/api/v1/posts/${ids[0]}`)).json.actions.likes_count, 0));
  await hasTexts(screen, ['Вторая', 'Первая']);
  await screen.click(screen.getAllByRole('link', { name: 'Лента' })[0]!);
  await showsPath(screen, '/');
  await chooseView(screen, 'Понравившиеся');
  await hasTexts(screen, ['Вторая']);
});

test('a deleted post leaves the person’s own list at once, and their count of posts decreases', async () => {
  await using wall = await openPeople();
  await wall.seed.posts(['Первая', 'Вторая'].map((text) => ({ by: wall.me, text })));
  const screen = await openScreen(wall, '/own/posts', { as: wall.me });
  await choose(screen, 'Вторая', 'Удалить');
  await decide(screen, 'Удалить');
  await hasTexts(screen, ['Первая']);
  await using page = await screen.reload('/users/anna_k');
  await choose(page, 'Первая', 'Удалить');
  await decide(page, 'Удалить');
  await page.until(() => assert.match(textOf(page.getByRole('main')), /0 записей · на стене с/));
  await isEmpty(page);
});
