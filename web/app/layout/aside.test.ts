import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { callsOf, card, choose } from '../../../test/kit/screen/posts.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';

const column = (screen: Screen): Element | null => screen.queryByRole('complementary');
const shows = (screen: Screen, text: RegExp): Promise<void> =>
  screen.until(() => assert.match(textOf(column(screen)), text));
const listCalls = (screen: Screen): string[] => callsOf(screen, /\/(posts|posts\/discussed|following)\?/);

/** A wall on which Boris and Vera have talked below two posts, the second one of Vera. */
async function openTalks() {
  const wall = await openSeeded();
  const [boris, vera] = [await wall.seed.person('boris_p'), await wall.seed.person('vera_k')];
  const [first] = await wall.seed.posts([{ by: boris, text: 'Где чинят велосипеды?' }]);
  const [second] = await wall.seed.posts([{ by: vera, text: 'Лифт в четвёртом подъезде' }]);
  for (const root of [second!, first!]) {
    for (const by of [boris, vera, boris]) await wall.seed.replies(root, [{ by, text: 'Ответ' }]);
  }
  return { ...wall, boris, vera, first: first!, second: second! };
}

const both = /^Сейчас обсуждают ?Где чинят велосипеды\? ?3 ?Лифт в четвёртом подъезде ?3$/;

test('visitors get the right column with the page, without a request', async () => {
  await using wall = await openTalks();
  await using screen = await openScreen(wall, '/');
  await shows(screen, both);
  assert.deepEqual(listCalls(screen), []);
  const [line] = queriesIn(column(screen)!).getAllByRole('link');
  assert.equal(line!.getAttribute('href'), `/posts/${wall.first}`);
});

test('it is on the three tabs of the feed and on no other page, with one request each', async () => {
  await using wall = await openTalks();
  await wall.seed.follow(wall.first, wall.me);
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await shows(screen, /Слежу ?Где чинят велосипеды\? ?\+3$/);
  const tabs = queriesIn(screen.getByRole('navigation', { name: 'Порядок ленты' }));
  await screen.click(tabs.getByRole('link', { name: 'Слежу' }));
  await screen.until(() => assert.equal(screen.path(), '/following'));
  await screen.click(screen.getByRole('link', { name: 'Обсуждаемые' }));
  await screen.until(() => assert.equal(screen.path(), '/discussed'));
  await screen.until(() => card(screen, 'Где чинят'));
  await shows(screen, /Слежу ?Где чинят велосипеды\? ?\+3$/);
  await screen.until(() =>
    assert.deepEqual(listCalls(screen), [
      'GET /api/v1/posts?page=1&limit=10&aside=true',
      'GET /api/v1/users/current/following?limit=10&aside=true',
      'GET /api/v1/posts/discussed?limit=10&aside=true',
    ]),
  );
  await screen.click(card(screen, 'Где чинят').querySelector('time')!);
  await screen.until(() => assert.match(screen.path(), /^\/posts\//));
  assert.ok(column(screen) === null);
});

test('a window without room for it does not ask for it', async () => {
  await using wall = await openTalks();
  for (const [width, asks] of [
    [1_059, false],
    [1_060, true],
  ] as const) {
    await using screen = await openScreen(wall, '/', { as: wall.me, width });
    await screen.until(() => assert.equal(listCalls(screen).length, 1));
    assert.equal(listCalls(screen)[0]!.includes('aside'), asks, String(width));
  }
});

test('deleted posts and those of muted authors leave it', async () => {
  await using wall = await openTalks();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await shows(screen, both);
  await wall.seed.remove(wall.first);
  await shows(screen, /^Сейчас обсуждают ?Лифт в четвёртом подъезде ?3$/);
  await choose(screen, 'Лифт', 'Не показывать автора');
  await shows(screen, /^$/);
});

test('what a person follows leaves it when they sign out, before the next list is there', async () => {
  await using wall = await openTalks();
  await wall.seed.follow(wall.first, wall.me);
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await shows(screen, /Слежу/);
  const bar = queriesIn(screen.getByRole('navigation', { name: 'Нижняя панель' }));
  await screen.click(bar.getByRole('link', { name: 'Настройки' }));
  const end = screen.network.intercept(/\/posts\?/, () => new Promise(() => {}));
  await screen.click(await screen.findByRole('button', { name: 'Выйти' }));
  await screen.until(() => assert.equal(screen.path(), '/'));
  await shows(screen, both);
  end();
});

test('the name of the wall is on the screen once', async () => {
  await using wall = await openTalks();
  await using screen = await openScreen(wall, '/');
  const named = queriesIn(screen.window.document.body as unknown as Element).getAllByText(/Стена/);
  assert.deepEqual(
    named.map((element) => element.tagName),
    ['H1'],
  );
  assert.equal(screen.getByRole('link', { name: 'Стена' }).getAttribute('href'), '/');
});
